/** Routes that move money, Stripe's webhook, and the payment key. */
import type { Context, Hono } from 'hono';
import { may } from '#contract/audience.ts';
import { paymentCalls } from '#contract/payments.calls.ts';
import { receiptCalls } from '#contract/receipts.calls.ts';
import { firstRunGate } from '../accounts/first-run-gate.ts';
import { checkSetupToken } from '../accounts/setup.ts';
import { etagOf } from '#contract/etag.ts';
import type { PaymentKey } from '#contract/payments.calls.ts';
import { depsOf, callerOf, type AppEnv } from '../http/app.ts';
import { readText } from '../http/body.ts';
import { badRequest, invalid, notAllowed, signInFirst } from '../http/errors.ts';
import { mount } from '../http/mount.ts';
import { clientAddress } from '../http/network-address.ts';
import { actorFor } from '../orders/changes.ts';
import { findOrder, canSeeWholeOrder, orderFor } from '../orders/read.ts';
import { paymentContextFor } from './context.ts';
import { readOpenDisputes } from './open-disputes.ts';
import { confirmPayment, requestPaymentIntent } from './pay.ts';
import { readCreditNote, readReceipt, readSeller } from './receipts.ts';
import { readRenewal } from './subscriptions.ts';
import { handleEvent } from './webhook-events.ts';
import { checkKey } from './key-check.ts';
import {
  addKey,
  findKey,
  keysQuery,
  readKeyHistory,
  removeKey,
  toPaymentKey,
  updateKey,
} from './stripe-key.ts';
import { cancelOrder, setPaymentByHand } from './cancel.ts';
import { isLiveKey, openStripe, verifyEvent } from './stripe.ts';

function answerKey(c: Context<AppEnv>, key: Awaited<ReturnType<typeof findKey>>): PaymentKey {
  c.header('ETag', etagOf(key.version));
  return toPaymentKey(key);
}

export function mountPayments(app: Hono<AppEnv>): void {
  app.post('/add-stripe-key', firstRunGate);
  mount(app, paymentCalls, {
    'POST /create-payment-intent': async ({ c, account, body: { amount, orderId } }) => {
      const context = paymentContextFor(c);
      const address = clientAddress(depsOf(c));
      const { clientSecret, subscriptionId } = await requestPaymentIntent(
        context,
        orderId,
        amount,
        account,
        address,
      );
      return {
        clientSecret,
        renewal: subscriptionId === null ? null : await readRenewal(context, subscriptionId),
      };
    },

    'PUT /order/:id': async ({ c, account, id, body: { paymentStatus } }) => {
      if (!account && paymentStatus !== 'Paid') throw signInFirst();
      if (!may(account, 'administrator') && paymentStatus !== 'Paid')
        throw notAllowed('Only an administrator can mark an order as not paid.');
      const order =
        account && may(account, 'administrator')
          ? await setPaymentByHand(paymentContextFor(c), id, paymentStatus, {
              role: 'administrator',
              accountId: account.id,
            })
          : await confirmPayment(paymentContextFor(c), id);
      return orderFor(account, order);
    },

    'PUT /order-cancelled/:id': async ({ c, account, id }) => {
      const order = await findOrder(c.var.db, id);
      if (!canSeeWholeOrder(account, order)) throw notAllowed();
      return orderFor(account, await cancelOrder(paymentContextFor(c), id, actorFor(account, order)));
    },

    'POST /stripe/webhook': async ({ c }) => {
      const body = await readText(c.req.raw, paymentCalls['POST /stripe/webhook'].maxBodyBytes);
      const signature = c.req.header('Stripe-Signature') ?? '';
      const event = await verifyEvent(openStripe(c.env), c.env.STRIPE_WEBHOOK_SECRET, body, signature);
      if (!event) throw badRequest('The signature is not valid.');
      if (event.livemode !== isLiveKey(c.env.STRIPE_SECRET_KEY) || event.account !== undefined)
        throw badRequest('This event is for another mode or another account.');
      await handleEvent(paymentContextFor(c), event);
      return { received: true as const };
    },

    'GET /stripe-keys': async ({ c }) => (await keysQuery(c.var.db)).map(toPaymentKey),

    'POST /add-stripe-key': async ({ c, account, body: { setupToken, stripeKey } }) => {
      const isAdministrator = may(account, 'administrator');
      if (!isAdministrator) await checkSetupToken(depsOf(c), setupToken);
      else if (setupToken !== undefined) throw invalid({ setupToken: 'There is no such field.' });
      await checkKey(depsOf(c), { stripeKey });
      const caller = isAdministrator ? account : undefined;
      return answerKey(c, await addKey(depsOf(c), caller, { stripeKey }));
    },

    'GET /stripe-key/:id': async ({ c, id }) => answerKey(c, await findKey(c.var.db, id)),

    'PUT /stripe-key/:id': async ({ c, account, id, ifMatch, body: values }) => {
      await checkKey(depsOf(c), values);
      return answerKey(c, await updateKey(depsOf(c), account, id, { values, ifMatch }));
    },

    'GET /stripe-key-history': ({ c }) => readKeyHistory(c.var.db),

    'DELETE /stripe-key/:id': async ({ c, account, id }) =>
      answerKey(c, await removeKey(depsOf(c), account, id)),

    'GET /open-disputes': ({ c }) => readOpenDisputes(c.var.db),
  });
  mount(app, receiptCalls, {
    'GET /seller': ({ c }) => readSeller(c.var.db),
    'GET /order/:id/receipt': ({ c, account, id }) => readReceipt(callerOf(c, account), id),
    'GET /credit-note/:id': ({ c, account, id }) => readCreditNote(callerOf(c, account), id),
  });
}
