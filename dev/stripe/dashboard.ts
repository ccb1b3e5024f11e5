/**
 * The merchant's actions in Stripe's dashboard, as plain forms at `/dev/stripe` and as JSON calls below it: refund a
 * payment, open and decide a dispute, redeliver an event, and send an event that Stripe would never send.
 */
import * as z from 'zod';
import { parsePriceCents } from '#contract/money.ts';
import { localPageHeaders } from '#dev/local-page.ts';
import type { Bank } from './bank.ts';
import { dashboardPage, type PaymentRow } from './dashboard-page.ts';
import { disputeShape, pursueDispute } from './disputes.ts';
import { missing, refuseCall, StripeFault } from './errors.ts';
import { newEvent, type PaymentIntent } from './objects.ts';
import { refundPayment } from './refunds.ts';
import type { State } from './state.ts';
import type { Webhooks } from './webhooks.ts';

export const dashboardPath = '/dev/stripe';

const maxShown = 50;

/** An order's id or number, or the id of its PaymentIntent. */
const order = z.coerce.string().min(1);
/** In dollars, in the site's format: `499` or `499.50`. */
const amount = z.coerce.string().transform((text, context) => {
  const cents = parsePriceCents(text);
  if (cents === undefined) context.addIssue(`'${text}' is not an amount in dollars, such as 499 or 499.50.`);
  return cents;
});
const refundedOrder = z.strictObject({ order, amount: amount.optional() });
const disputedOrder = z.strictObject({ order, ...disputeShape });
const resentEvent = z.strictObject({ event: z.string() });
const passedDays = z.strictObject({ days: z.coerce.number().positive().max(400) });
const anyEvent = z.looseObject({});

const isFor = ({ id, metadata, description }: PaymentIntent, wanted: string) =>
  id === wanted ||
  Object.values(metadata).includes(wanted) ||
  description?.startsWith(`Order #${wanted.replace('#', '')}:`);

/** The actions, by the last part of their path. Each accepts JSON or form fields. */
function makeActions(state: State, bank: Bank, webhooks: Webhooks) {
  function findPaid(wanted: string): PaymentIntent {
    const paid = state.list('payment_intent', { fields: { status: 'succeeded' } });
    const found = paid.find((intent) => isFor(intent, wanted));
    if (found) return found;
    throw missing('paid payment of an order', wanted, 'order');
  }

  return {
    /** Refunds everything that is left, or an amount. */
    refund(given: unknown) {
      const { order, amount } = refundedOrder.parse(given);
      return bank.change((call) => refundPayment(call, findPaid(order).id, amount));
    },

    /** Opens a dispute unless there is one. With an outcome, also decides the dispute. */
    dispute(given: unknown) {
      const { order, ...rest } = disputedOrder.parse(given);
      const { id } = findPaid(order);
      return bank.change((call) => pursueDispute(call, id, rest));
    },

    advance(given: unknown) {
      bank.advance(passedDays.parse(given).days);
      return { now: new Date(Date.now() + state.secondsAhead * 1000).toISOString() };
    },

    resend(given: unknown) {
      const { event: id } = resentEvent.parse(given);
      const event = state.get('event', id);
      if (!event) throw missing('event', id, 'event');
      webhooks.resend(event);
      return event;
    },

    /** Sends an event with any body, signed. Missing standard fields are filled in. */
    event(given: unknown) {
      const { data } = anyEvent.safeParse(given);
      return webhooks.sendBody(JSON.stringify(data ? { ...newEvent('', null), ...data } : given));
    },
  };
}

/** The fields of a form, without empty ones. */
const readForm = (body: string) =>
  Object.fromEntries([...new URLSearchParams(body)].filter(([, value]) => value !== ''));

function listPayments(state: State): PaymentRow[] {
  return state.list('payment_intent', { limit: maxShown }).map((intent) => {
    const fields = { payment_intent: intent.id };
    return {
      intent,
      refunds: state.list('refund', { fields }),
      disputes: state.list('dispute', { fields }),
    };
  });
}

/** The dashboard over `state`: responds with a page, a redirect to it, or JSON. */
export function openDashboard(state: State, bank: Bank, webhooks: Webhooks) {
  const actions: Record<string, (given: unknown) => unknown> = makeActions(state, bank, webhooks);

  async function page(status: number, problem?: string): Promise<Response> {
    const events = state.list('event', { limit: maxShown });
    const body = await dashboardPage(listPayments(state), events, problem);
    return new Response(String(body), { status, headers: localPageHeaders });
  }

  async function act(request: Request, isForm: boolean): Promise<Response> {
    // Forms of other sites must not reach these actions.
    if (!['same-origin', 'none', null].includes(request.headers.get('Sec-Fetch-Site')))
      throw refuseCall(403, 'Only a page of this copy may do this.');
    const action = actions[new URL(request.url).pathname.slice(dashboardPath.length + 1)];
    if (!action) throw refuseCall(404, 'There is no such action.');
    const done = await action(isForm ? readForm(await request.text()) : await request.json());
    return isForm
      ? new Response(null, { status: 303, headers: { Location: dashboardPath } })
      : Response.json(done);
  }

  return async function answer(request: Request): Promise<Response> {
    const { method, headers } = request;
    const isForm = headers.get('Content-Type')?.startsWith('application/x-www-form-urlencoded') ?? false;
    try {
      return method === 'POST' ? await act(request, isForm) : await page(200);
    } catch (error) {
      const status = error instanceof StripeFault ? error.status : 400;
      const problem = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
      return isForm ? page(status, problem) : Response.json({ error: problem }, { status });
    }
  };
}
