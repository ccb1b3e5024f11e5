import type { PaymentIntent, StripeCardElement, StripeElements, StripeError } from '@stripe/stripe-js';
import { describe, expect, test, vi } from 'vitest';
import {
  awaitDecision,
  findOut,
  findPayment,
  payByCard,
  payByWallet,
  type CardProvider,
} from './card-payment.ts';

const payer = {
  name: 'Ada Payer',
  email: 'ada@example.com',
  address: { country: 'US', postal_code: '60432' },
};
// The code only passes it on to Stripe.
const card = {} as StripeCardElement;
const intent = (status: PaymentIntent.Status, more: Partial<PaymentIntent> = {}) =>
  ({ id: 'pi_1', status, last_payment_error: null, ...more }) as PaymentIntent;
const problem = (message: string, more: Partial<StripeError> = {}): StripeError => ({
  type: 'card_error',
  message,
  ...more,
});

type Answer = Awaited<ReturnType<CardProvider['confirmCardPayment']>>;
const confirmed = (status: PaymentIntent.Status): Answer => ({ paymentIntent: intent(status) });
const failed = (error: StripeError): Answer => ({ error });

const lost = failed(problem('We could not reach the provider.', { type: 'api_connection_error' }));

const created = { paymentMethod: { id: 'pm_1' } } as Awaited<ReturnType<CardProvider['createPaymentMethod']>>;

function provider(answers: { method?: typeof created; confirm?: Answer; retrieve?: readonly Answer[] }) {
  const retrieved = [...(answers.retrieve ?? [])];
  return {
    createPaymentMethod: vi.fn(() => Promise.resolve(answers.method ?? created)),
    confirmCardPayment: vi.fn(() => Promise.resolve(answers.confirm ?? confirmed('succeeded'))),
    retrievePaymentIntent: vi.fn(() => Promise.resolve(retrieved.shift() ?? confirmed('processing'))),
  } satisfies CardProvider;
}

describe('A payment by card', () => {
  test('names the payer, is confirmed with the client secret and returns the transaction id', async () => {
    const stripe = provider({});
    expect(await payByCard(stripe, card, 'secret', payer)).toEqual({
      kind: 'succeeded',
      transactionId: 'pi_1',
    });
    expect(stripe.createPaymentMethod).toHaveBeenCalledWith({ type: 'card', card, billing_details: payer });
    expect(stripe.confirmCardPayment).toHaveBeenCalledWith('secret', { payment_method: 'pm_1' });
  });

  test("is not confirmed when Stripe refuses the card, and shows Stripe's message", async () => {
    const stripe = provider({ method: { error: problem('Your card number is incomplete.') } });
    expect(await payByCard(stripe, card, 'secret', payer)).toEqual({
      kind: 'refused',
      message: 'Your card number is incomplete.',
    });
    expect(stripe.confirmCardPayment).not.toHaveBeenCalled();
  });

  test('that Stripe refuses because of the site’s key shows our own message', async () => {
    const stripe = provider({
      method: {
        error: problem('Invalid API Key provided: pk_test_****abcd', { type: 'invalid_request_error' }),
      },
    });
    expect(await payByCard(stripe, card, 'secret', payer)).toMatchObject({
      message: expect.stringContaining('Card payments are not set up right now.') as string,
    });
  });

  test('is made without an email that Stripe refuses', async () => {
    const stripe = provider({});
    const error = problem('Invalid email address', { code: 'email_invalid' });
    stripe.createPaymentMethod.mockResolvedValueOnce({ error });
    expect((await payByCard(stripe, card, 'secret', payer)).kind).toBe('succeeded');
    expect(stripe.createPaymentMethod).toHaveBeenLastCalledWith({
      type: 'card',
      card,
      billing_details: { name: payer.name, address: payer.address },
    });
  });

  test("that is declined shows Stripe's message", async () => {
    const stripe = provider({
      confirm: failed(
        problem('Your card was declined.', { payment_intent: intent('requires_payment_method') }),
      ),
    });
    expect(await payByCard(stripe, card, 'secret', payer)).toEqual({
      kind: 'refused',
      message: 'Your card was declined.',
    });
  });

  const alreadyPaidBy = (method: string) =>
    failed(
      problem('You cannot confirm this PaymentIntent.', {
        code: 'payment_intent_unexpected_state',
        payment_intent: intent('succeeded', { payment_method: method }),
      }),
    );

  test('counts as made when Stripe has already charged this card for it', async () => {
    const stripe = provider({ confirm: alreadyPaidBy('pm_1') });
    expect(await payByCard(stripe, card, 'secret', payer)).toEqual({
      kind: 'succeeded',
      transactionId: 'pi_1',
    });
  });

  test('is not called successful when another device paid the order first', async () => {
    const stripe = provider({ confirm: alreadyPaidBy('pm_of_another_device') });
    expect(await payByCard(stripe, card, 'secret', payer)).toEqual({ kind: 'paidElsewhere' });
  });

  test('is unknown when the response was lost', async () => {
    const stripe = provider({ confirm: lost });
    expect(await payByCard(stripe, card, 'secret', payer)).toEqual({ kind: 'unknown', method: 'pm_1' });
  });
});

describe('A payment whose response was lost', () => {
  const noWait = vi.fn(() => Promise.resolve());
  const unpaid = confirmed('requires_payment_method');

  test('is checked until Stripe can be reached, and then found paid', async () => {
    const stripe = provider({ retrieve: [lost, lost, confirmed('succeeded')] });
    expect(await findOut(stripe, 'secret', undefined, noWait)).toEqual({
      kind: 'succeeded',
      transactionId: 'pi_1',
    });
    expect(stripe.retrievePaymentIntent).toHaveBeenCalledTimes(3);
  });

  test('may arrive at Stripe after the first check', async () => {
    const stripe = provider({ retrieve: [unpaid, confirmed('succeeded')] });
    expect((await findOut(stripe, 'secret', undefined, noWait)).kind).toBe('succeeded');
  });

  test('counts as not made when Stripe says so twice, and the card was not charged', async () => {
    const stripe = provider({ retrieve: [lost, unpaid, lost, unpaid] });
    expect(await findOut(stripe, 'secret', undefined, noWait)).toEqual({
      kind: 'refused',
      message: 'The connection was lost before the payment was made.',
    });
  });

  test('is not called successful when another device paid the order', async () => {
    const paid = { paymentIntent: intent('succeeded', { payment_method: 'pm_of_another_device' }) };
    const stripe = provider({ retrieve: [paid, paid] });
    expect(await findOut(stripe, 'secret', 'pm_1', noWait)).toEqual({ kind: 'paidElsewhere' });
    expect((await findOut(stripe, 'secret', 'pm_of_another_device', noWait)).kind).toBe('succeeded');
  });

  test('counts as processing while the bank is deciding', async () => {
    expect(
      await findOut(provider({ retrieve: [confirmed('processing')] }), 'secret', undefined, noWait),
    ).toEqual({
      kind: 'processing',
    });
  });
});

describe('A payment with a wallet', () => {
  const returnUrl = 'https://site.example/pay-now/1';
  const elementsThat = (answer: Awaited<ReturnType<StripeElements['submit']>>) =>
    ({ submit: () => Promise.resolve(answer) }) as StripeElements;
  const wallet = (confirm: Answer) => ({
    ...provider({}),
    confirmPayment: vi.fn(() => Promise.resolve(confirm)),
  });

  test('is confirmed on this page with the billing details of the order’s customer', async () => {
    const stripe = wallet(confirmed('succeeded'));
    const elements = elementsThat({ selectedPaymentMethod: 'google_pay' });
    expect(await payByWallet(stripe, elements, { returnUrl, payer })).toEqual({
      kind: 'succeeded',
      transactionId: 'pi_1',
    });
    expect(stripe.confirmPayment).toHaveBeenCalledWith({
      elements,
      confirmParams: { return_url: returnUrl, payment_method_data: { billing_details: payer } },
      redirect: 'if_required',
    });
  });

  test('is made without an email that Stripe refuses', async () => {
    const stripe = wallet(confirmed('succeeded'));
    const param = 'payment_method_data[billing_details][email]';
    stripe.confirmPayment.mockResolvedValueOnce(failed(problem('Invalid email address', { param })));
    const elements = elementsThat({ selectedPaymentMethod: 'google_pay' });
    expect((await payByWallet(stripe, elements, { returnUrl, payer })).kind).toBe('succeeded');
    expect(stripe.confirmPayment).toHaveBeenLastCalledWith({
      elements,
      confirmParams: {
        return_url: returnUrl,
        payment_method_data: { billing_details: { name: payer.name, address: payer.address } },
      },
      redirect: 'if_required',
    });
  });

  test('that cannot be submitted is not confirmed', async () => {
    const stripe = wallet(confirmed('succeeded'));
    const elements = elementsThat({ error: problem('The wallet is not ready.') });
    expect(await payByWallet(stripe, elements, { returnUrl, payer: undefined })).toEqual({
      kind: 'refused',
      message: 'The wallet is not ready.',
    });
    expect(stripe.confirmPayment).not.toHaveBeenCalled();
  });

  test('is unknown when the response was lost', async () => {
    const elements = elementsThat({ selectedPaymentMethod: 'google_pay' });
    const outcome = await payByWallet(wallet(lost), elements, { returnUrl, payer });
    expect(outcome).toEqual({ kind: 'unknown' });
  });
});

describe('A payment that the bank is still processing', () => {
  const neverLate = () => expect.fail('It counts as late.');
  const noWait = () => Promise.resolve();

  test('is checked until the bank has decided', async () => {
    const stripe = provider({
      retrieve: [confirmed('processing'), failed(problem('offline')), confirmed('succeeded')],
    });
    expect(await awaitDecision(stripe, 'secret', neverLate, noWait)).toEqual({
      kind: 'succeeded',
      transactionId: 'pi_1',
    });
    expect(stripe.retrievePaymentIntent).toHaveBeenCalledTimes(3);
  });

  test("may finally be declined, with the bank's message", async () => {
    const refused = intent('requires_payment_method', {
      last_payment_error: { type: 'card_error', message: 'Your card has insufficient funds.' },
    });
    const stripe = provider({ retrieve: [{ paymentIntent: refused }] });
    expect(await awaitDecision(stripe, 'secret', neverLate, noWait)).toEqual({
      kind: 'refused',
      message: 'Your card has insufficient funds.',
    });
  });

  test('is checked every few seconds for a minute, then more slowly, and counts as late after two', async () => {
    const pauses: (number | 'late')[] = [];
    const wait = (ms: number) => Promise.resolve(void pauses.push(ms));
    const stripe = provider({
      retrieve: [...Array<Answer>(26).fill(confirmed('processing')), confirmed('succeeded')],
    });
    await awaitDecision(stripe, 'secret', () => void pauses.push('late'), wait);
    const expected = [
      ...Array<number>(20).fill(3_000),
      ...Array<number>(4).fill(15_000),
      'late',
      60_000,
      60_000,
      60_000,
    ];
    expect(pauses).toEqual(expected);
  });
});

test('A payment that was started is found when the page opens, and one that was never attempted is not', async () => {
  const find = (answer: Answer) => findPayment(provider({ retrieve: [answer] }), 'secret');
  expect(await find(confirmed('succeeded'))).toEqual({ kind: 'succeeded', transactionId: 'pi_1' });
  expect(await find(confirmed('processing'))).toEqual({ kind: 'processing' });
  expect(await find(confirmed('requires_payment_method'))).toBeUndefined();
  expect(await find(failed(problem('offline')))).toBeUndefined();
});
