/**
 * Stripe's own pages about a subscription: the customer portal for changing the card, and the page for paying an open
 * invoice. The customer chooses a card by name, because no card is real.
 */
import { html } from 'hono/html';
import * as z from 'zod';
import { displayPrice } from '#contract/money.ts';
import { localPage, localPageHeaders } from '#dev/local-page.ts';
import type { Bank } from './bank.ts';
import { intentOf } from './billing.ts';
import { type Call, save } from './call.ts';
import { findPaymentMethod } from './payment-methods.ts';
import { find } from './resources.ts';
import { attemptPayment } from './settle.ts';
import type { State } from './state.ts';

/** The cards to choose from, by the names of their ready-made payment methods. */
const cards = {
  pm_card_visa: 'Visa ending in 4242, which pays',
  pm_card_mastercard: 'Mastercard ending in 4444, which pays',
  pm_card_chargeCustomerFail: 'Visa ending in 0341, which is declined',
} as const;

/**
 * The form redirects back to the site, which is another origin. Browsers also apply this policy to a form's redirects.
 */
const policy = localPageHeaders['Content-Security-Policy'].replace("form-action 'self'", 'form-action *');

const cardForm = (button: string) =>
  html`<form method="post">
    <label>
      Card
      <select name="card">
        ${Object.entries(cards).map(([id, text]) => html`<option value="${id}">${text}</option>`)}
      </select>
    </label>
    <button>${button}</button>
  </form>`;

/** Makes a card the customer's default and the card that is charged from now on. */
export function changeCard(call: Call, customerId: string, card: string): string {
  const method = findPaymentMethod(call, card);
  call.state.put('payment_method', { ...method, customer: customerId });
  const customer = find(call, 'customer', customerId);
  const invoice_settings = { ...customer.invoice_settings, default_payment_method: method.id };
  save(call, 'customer.updated', 'customer', { ...customer, invoice_settings });
  return method.id;
}

const chosen = z.object({ card: z.string() });

/** The pages over `state`: responds to `/portal/:id` and `/invoice/:id`; returns undefined for any other request. */
export function openPortal(state: State, bank: Bank) {
  const respond = async (title: string, text: string, button: string) => {
    const body = await localPage(title, text, cardForm(button));
    return new Response(String(body), {
      headers: { ...localPageHeaders, 'Content-Security-Policy': policy },
    });
  };
  return async function answer(request: Request): Promise<Response | undefined> {
    const [, kind, id = ''] = new URL(request.url).pathname.split('/');
    const session = kind === 'portal' ? state.get('billing_portal.session', id) : undefined;
    const invoice = kind === 'invoice' ? state.get('invoice', id) : undefined;
    if (!session && !invoice) return undefined;
    if (request.method !== 'POST')
      return session
        ? respond('Your card', 'The card that is charged from now on.', 'Change the card')
        : respond(
            'Pay your invoice',
            `${displayPrice(invoice?.amount_due ?? 0)}, ${invoice?.status ?? ''}.`,
            'Pay',
          );
    const { card } = chosen.parse(Object.fromEntries(new URLSearchParams(await request.text())));
    bank.settle((call) => {
      if (session) changeCard(call, session.customer, card);
      const intent = invoice && intentOf(call, invoice);
      if (intent) attemptPayment(call, intent, findPaymentMethod(call, card).id);
    });
    const location = session?.return_url ?? invoice?.hosted_invoice_url ?? '';
    return new Response(null, { status: 303, headers: { Location: location } });
  };
}
