/** Routes of subscriptions. */
import type { Context, Hono } from 'hono';
import type { Account } from '#contract/accounts.ts';
import { may } from '#contract/audience.ts';
import { counted } from '#contract/counted.ts';
import { displayPriceText } from '#contract/money.ts';
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { subscriptionCalls } from '#contract/subscriptions.calls.ts';
import { requireUnrestricted } from '../accounts/restrictions.ts';
import { recordAudit } from '../audit/audit.ts';
import { setAuditDetails } from '../audit/audited-calls.ts';
import { depsOf, type AppEnv } from '../http/app.ts';
import { answerList, mount } from '../http/mount.ts';
import { wholeOrder } from '../orders/read.ts';
import { paymentContextFor, type PaymentContext } from './context.ts';
import {
  cancelAtPeriodEnd,
  changePrice,
  changePrices,
  undoCancellation,
  openPortal,
  pauseSubscription,
  resumeSubscription,
  type ChangedSubscription,
} from './manage-subscription.ts';
import {
  findSubscribed,
  listSubscriptions,
  monthsQuery,
  readSubscriptionTotals,
  toSubscription,
} from './subscriptions.ts';

interface Request {
  readonly c: Context<AppEnv>;
  readonly account: Account;
  readonly id: string;
}

/** Makes a change, and records it in the audit log. */
async function answerChange(
  { c, account, id }: Request,
  change: (context: PaymentContext, id: string, account: Account) => Promise<ChangedSubscription>,
): Promise<Subscription> {
  const { subscription, details } = await change(paymentContextFor(c), id, account);
  if (details !== undefined)
    recordAudit(depsOf(c), { action: 'subscription', accountId: account.id, recordId: id, details });
  return subscription;
}

export function mountSubscriptions(app: Hono<AppEnv>): void {
  mount(app, subscriptionCalls, {
    'GET /subscriptions': async ({ c, account, query }) => {
      const isStaff = may(account, 'orders') && query.own === undefined;
      const page = await listSubscriptions(c.var.db, query, isStaff ? query.accountId : account.id);
      return answerList(c, page).map((found) => toSubscription(c.env, found));
    },

    'GET /subscription-totals': ({ c, account }) => {
      requireUnrestricted(c.env, account.role, 'totals');
      return readSubscriptionTotals(c.var.db, c.env);
    },

    'GET /subscription/:id': async ({ c, account, id }) =>
      toSubscription(c.env, await findSubscribed(c.var.db, id, account)),

    'GET /subscription/:id/orders': async ({ c, account, id }) => {
      await findSubscribed(c.var.db, id, account);
      return (await monthsQuery(c.var.db, id)).map(wholeOrder);
    },

    'POST /subscription/:id/pause': (request) =>
      answerChange(request, (...of) => pauseSubscription(...of, request.body.months)),

    'POST /subscription/:id/resume': (request) => answerChange(request, resumeSubscription),
    'POST /subscription/:id/cancel': (request) => answerChange(request, cancelAtPeriodEnd),
    'POST /subscription/:id/keep': (request) => answerChange(request, undoCancellation),

    'POST /subscription/:id/portal': async ({ c, account, id }) => ({
      url: await openPortal(paymentContextFor(c), id, account),
    }),

    'POST /subscription/:id/price': (request) =>
      answerChange(request, (...of) => changePrice(...of, request.body.price)),

    'POST /subscription-prices': async ({ c, account, body }) => {
      const made = await changePrices(paymentContextFor(c), account, body);
      setAuditDetails(c, {
        details: `Announced the price of ${displayPriceText(body.price)} per month for ${body.packageName} to ${counted(made.changed, 'subscription')}`,
      });
      return made;
    },
  });
}
