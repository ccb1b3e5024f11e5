/** The calls that move money, Stripe's webhook, and the list of what needs a person. */
import type { Context, Hono } from 'hono';
import { calls } from '../contract/calls.ts';
import { orderCancellation, paymentStatusChange } from '../contract/orders.ts';
import { attentionSeen, newPaymentIntent, type PaymentIntentAnswer } from '../contract/payments.ts';
import type { AppEnv } from '../http/app.ts';
import { readBody, readText } from '../http/body.ts';
import { badRequest, notAllowed } from '../http/errors.ts';
import { mount } from '../http/mount.ts';
import { deliverSoon } from '../mail/outbox.ts';
import { actorFor } from '../orders/changes.ts';
import { findOrder, maySeeAll, orderFor } from '../orders/read.ts';
import { markSeen, readAttention } from './attention.ts';
import { openDesk } from './desk.ts';
import { confirmPayment, requestPaymentIntent, settleReported } from './pay.ts';
import { cancelOrder, setPaymentByHand } from './stop.ts';
import { isLiveKey, openStripe, verifyEvent } from './stripe.ts';

const deskFor = (c: Context<AppEnv>) => openDesk(c.env, c.var.log, c.var.db);

export function mountPayments(app: Hono<AppEnv>): void {
  mount(app, calls.createPaymentIntent, async (c) => {
    const { amount, orderId } = await readBody(c, newPaymentIntent);
    const clientSecret = await requestPaymentIntent(deskFor(c), orderId, amount, (order) =>
      actorFor(c.var.account, order),
    );
    return c.json({ clientSecret } satisfies PaymentIntentAnswer);
  });

  mount(app, calls.updatePaymentStatus, async (c, id) => {
    const { paymentStatus } = await readBody(c, paymentStatusChange);
    const { account } = c.var;
    if (!account?.isAdmin && paymentStatus !== 'Paid')
      throw notAllowed('Only an administrator can set an order back to UnPaid.');
    const order = account?.isAdmin
      ? await setPaymentByHand(deskFor(c), id, paymentStatus, {
          role: 'administrator',
          accountId: account.id,
        })
      : await confirmPayment(deskFor(c), id);
    deliverSoon(c);
    return c.json(orderFor(account, order));
  });

  mount(app, calls.cancelOrder, async (c, id) => {
    await readBody(c, orderCancellation);
    const { db, account } = c.var;
    const order = await findOrder(db, id);
    if (!maySeeAll(account, order)) throw notAllowed();
    try {
      return c.json(orderFor(account, await cancelOrder(deskFor(c), id, actorFor(account, order))));
    } finally {
      deliverSoon(c);
    }
  });

  mount(app, calls.stripeWebhook, async (c) => {
    const body = await readText(c.req.raw);
    const signature = c.req.header('Stripe-Signature') ?? '';
    const event = await verifyEvent(openStripe(c.env), c.env.STRIPE_WEBHOOK_SECRET, body, signature);
    if (!event) throw badRequest('The signature does not hold.');
    if (event.livemode !== isLiveKey(c.env.STRIPE_SECRET_KEY) || event.account !== undefined)
      throw badRequest('This event is of another mode or of another account.');
    if (event.type === 'payment_intent.succeeded') {
      await settleReported(deskFor(c), event.data.object.id);
      deliverSoon(c);
    }
    return c.json({ received: true });
  });

  mount(app, calls.needsAttention, async (c) => c.json(await readAttention(c.var.db)));

  mount(app, calls.markAttentionSeen, async (c, id) => {
    await readBody(c, attentionSeen);
    await markSeen(c.var.db, id, c.var.account?.id ?? '');
    return c.body(null, 204);
  });
}
