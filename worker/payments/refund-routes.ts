/** Routes for refunds and the ledger. */
import type { Hono } from 'hono';
import { may } from '#contract/audience.ts';
import { refundCalls, type LedgerFilter } from '#contract/refunds.calls.ts';
import { parsePriceCents, toPriceText } from '#contract/money.ts';
import { coarseNetworkOf } from '../http/network-address.ts';
import { setAuditDetails } from '../audit/audited-calls.ts';
import { depsOf, type AppEnv } from '../http/app.ts';
import { csvResponse } from '../http/csv.ts';
import { answerList, mount } from '../http/mount.ts';
import { visibleTo } from '../orders/read.ts';
import { paymentContextFor } from './context.ts';
import { ledgerColumns, readLedger, readLedgerTotals, readWholeLedger } from './ledger.ts';
import { disputeToAnswer } from './open-disputes.ts';
import { refundOrder } from './refund-requests.ts';
import { readRefunds, toRefund } from './refunds.ts';
import { dayOf } from '../env.ts';

/** For the audit log, which must not name a person. */
const describeExport = ({ month, q }: LedgerFilter): string =>
  ['Exported ledger', month && `of ${month}`, q && 'of one search'].filter(Boolean).join(' ');

export function mountRefunds(app: Hono<AppEnv>): void {
  mount(app, refundCalls, {
    'GET /order/:id/refunds': async ({ c, account, id }) => {
      const { order, refunds, leftCents, disputes, obstacle } = await readRefunds(c.var.db, id);
      visibleTo(account, order);
      const isStaff = may(account, 'orders');
      return {
        refunds: refunds.map((listed) => toRefund(listed, isStaff)),
        leftAmount: toPriceText(leftCents),
        disputes: isStaff ? disputes.map((dispute) => disputeToAnswer(c.env, dispute)) : [],
        obstacle: isStaff ? obstacle : '',
      };
    },

    'POST /order/:id/refunds': async ({ c, account, id, body: { amount, reason, note }, idempotencyKey }) => {
      const context = { ...paymentContextFor(c), network: coarseNetworkOf(depsOf(c).clientIp) };
      const request = {
        amountCents: amount === undefined ? undefined : parsePriceCents(amount),
        reason,
        note,
        idempotencyKey,
      };
      const by = { role: 'administrator', accountId: account.id } as const;
      const refund = await refundOrder(context, id, request, by);
      return toRefund({ refund, isReturn: false, by: account.email }, true);
    },

    'GET /ledger': async ({ c, query }) => answerList(c, await readLedger(c.var.db, c.env, query)),

    'GET /ledger-totals': ({ c, query }) => readLedgerTotals(c.var.db, c.env, query),

    'GET /ledger.csv': ({ c, query }) => {
      const { month = dayOf(c.env, Date.now()), q } = query;
      setAuditDetails(c, { details: describeExport(query) });
      const name = `ledger-${month}${q === undefined ? '' : '-part'}.csv`;
      return csvResponse(name, ledgerColumns, readWholeLedger(c.var.db, c.env, query));
    },
  });
}
