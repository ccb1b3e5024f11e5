/** The page of the dashboard: payments with their actions, and the delivered events. */
import { html } from 'hono/html';
import { displayPrice } from '#contract/money.ts';
import { linkTo } from '#contract/screens.ts';
import { localPage } from '#dev/local-page.ts';
import { type DisputeReason, disputeReasons, isOpen } from './disputes.ts';
import type { Dispute, PaymentIntent, Refund, StripeEvent } from './objects.ts';

export interface PaymentRow {
  intent: PaymentIntent;
  /** Newest first, like the disputes. */
  refunds: Refund[];
  disputes: Dispute[];
}

const asTime = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
const asWords = (code: string | null) => (code ?? '').replaceAll('_', ' ');
const reasonOption = (reason: DisputeReason) => html`<option value="${reason}">${asWords(reason)}</option>`;

const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}" />`;

const refundForm = ({ id }: PaymentIntent) =>
  html`<form method="post" action="/dev/stripe/refund">
    ${hidden('order', id)}
    <label>
      Amount in dollars
      <input name="amount" inputmode="decimal" placeholder="all that is left" autocomplete="off" />
    </label>
    <button>Refund</button>
  </form>`;

const disputeForm = ({ id }: PaymentIntent, open: Dispute | undefined) =>
  html`<form method="post" action="/dev/stripe/dispute">
    ${hidden('order', id)}
    ${
      open
        ? html`<button name="outcome" value="under_review">Send evidence</button>
            <button name="outcome" value="won">Close as won</button>
            <button name="outcome" value="lost">Close as lost</button>`
        : html`<label>
              Reason
              <select name="reason">
                ${disputeReasons.map(reasonOption)}
              </select>
            </label>
            <button>Open a dispute</button>`
    }
  </form>`;

const disputeLine = ({ amount, reason, status, evidence_details: { due_by } }: Dispute) =>
  html`<li>
    Dispute of ${displayPrice(amount)}: ${asWords(reason)}, ${asWords(status)}; evidence until
    ${asTime(due_by ?? 0)} UTC
  </li>`;

const payment = ({ intent, refunds, disputes }: PaymentRow) => {
  const { id, amount, created, description, metadata, status } = intent;
  const isPaid = status === 'succeeded';
  return html`<article>
    <h2>${description ?? id}</h2>
    <p>
      <strong>${displayPrice(amount)}</strong> · ${asWords(status)} ·
      <a href="${linkTo('order', metadata['orderId'] ?? '')}">the order on this site</a>
    </p>
    <p class="soft">${id} · ${asTime(created)} UTC</p>
    <ul>
      ${refunds.map(
        (refund) => html`<li>Refund of ${displayPrice(refund.amount)}: ${asWords(refund.status)}</li>`,
      )}
      ${disputes.map(disputeLine)}
    </ul>
    ${isPaid ? [refundForm(intent), disputeForm(intent, disputes.find(isOpen))] : ''}
  </article>`;
};

const delivery = ({ id, type, created, pending_webhooks }: StripeEvent) =>
  html`<li>
    <form method="post" action="/dev/stripe/resend">
      ${hidden('event', id)}
      <button aria-label="Send again: ${type}, ${asTime(created)}">Send again</button>
      <span>
        ${type}
        <span class="soft">${asTime(created)} UTC, ${pending_webhooks ? 'on its way' : 'delivered'}</span>
      </span>
    </form>
  </li>`;

/** @param problem why the last action failed */
export const dashboardPage = (payments: PaymentRow[], events: StripeEvent[], problem?: string) =>
  localPage(
    'Stripe on this machine',
    'What a merchant does in the Stripe dashboard, newest payment first. No real money moves.',
    html`${problem === undefined ? '' : html`<p class="alert" role="alert">${problem}</p>`}
      ${payments.length === 0 ? html`<p>No payments yet. Place an order and pay for it with a test card.</p>` : ''}
      ${payments.map(payment)}
      <h2>Clock</h2>
      <form method="post" action="/dev/stripe/advance">
        <label>
          Days
          <input name="days" inputmode="numeric" value="31" autocomplete="off" />
        </label>
        <button>Advance monthly packages</button>
      </form>
      <h2>Deliveries</h2>
      <ul class="plain">
        ${events.map(delivery)}
      </ul>`,
  );
