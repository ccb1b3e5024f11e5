import { describe, expect, test } from 'vitest';
import type { PlanStep } from '#contract/plans.calls.ts';
import type { OrderEvent } from '#contract/orders.calls.ts';
import type { OrderStatus, PaymentStatus } from '#contract/orders.ts';
import { nextStep, progressSteps, orderSteps } from './order-progress.ts';

const orderWith = (paymentStatus: PaymentStatus, orderStatus: OrderStatus) => ({
  _id: '0192f0c1-0000-7000-8000-000000000001',
  paymentStatus,
  orderStatus,
});
const event = (kind: OrderEvent['kind'], at: string, after: OrderEvent['after'] = {}): OrderEvent => ({
  kind,
  at,
  by: 'customer',
  before: {},
  after,
});

const step = (title: string, state: PlanStep['state'], changes: Partial<PlanStep> = {}): PlanStep => ({
  _id: '0192f0c1-0000-7000-8000-000000000002',
  title,
  details: '',
  dueDay: '2026-11-30',
  plannedDay: null,
  wantsApproval: true,
  state,
  note: '',
  request: '',
  files: [],
  doneDay: null,
  doneAt: null,
  answerDay: null,
  isOverdue: false,
  isUntracked: false,
  ...changes,
});

describe('The next step of a customer', () => {
  test('with a paid order is to answer our questions, then to approve, then nothing', () => {
    const order = orderWith('Paid', 'Pending');
    const steps = [step('Review', 'done'), step('Pages', 'open'), step('Drafts', 'waiting')];
    expect(nextStep(order, { brief: 'open', steps })).toMatchObject({
      action: { href: `/order-brief/${order._id}` },
      turn: 'yours',
    });
    const both = nextStep(order, { brief: 'open', steps });
    expect(both.text).toContain('so that we can continue');
    expect(both.by).toBeUndefined();
    expect(both.also).toEqual([nextStep(order, { brief: 'sent', steps })]);
    const again = nextStep(order, { brief: 'open', isBriefReopened: true, steps: [] });
    expect(again.text).toContain('reopened our questions');
    expect(again.text).not.toContain('begin');
    expect(nextStep(order, { brief: 'sent', steps })).toMatchObject({
      text: '“Drafts” is ready. Please look at it, then approve it or tell us what to change.',
      turn: 'yours',
      by: '2026-11-30',
    });
    expect(nextStep(order, { brief: 'sent', steps: steps.slice(0, 2) })).toEqual({
      text: 'We are working on “Pages”. You do not need to do anything.',
      turn: 'ours',
      by: '2026-11-30',
    });
  });

  test('asks for nothing while the whole order is being refunded, even if the refund fails', () => {
    const asked = { brief: 'open', steps: [step('Drafts', 'waiting')] } as const;
    const nextAfter = (refund: 'refundStarted' | 'refundFailed') =>
      nextStep(orderWith('Paid', 'Pending'), { ...asked, refund });
    expect(nextAfter('refundStarted').text).toContain('in full');
    expect(nextAfter('refundFailed').text).toContain('another way to refund you');
    for (const refund of ['refundStarted', 'refundFailed'] as const)
      expect(nextAfter(refund)).toEqual({ text: nextAfter(refund).text, turn: 'ours' });
  });

  test('comes with an apology when our work is late', () => {
    const late = nextStep(orderWith('Paid', 'Pending'), {
      brief: 'none',
      steps: [step('Pages', 'open', { isOverdue: true })],
    });
    expect(late.text).toContain('was due on Nov 30, 2026, so we are late');
    expect(late.by).toBeUndefined();
  });

  test('with an unpaid order is to pay it', () => {
    const order = orderWith('UnPaid', 'Pending');
    expect(nextStep(order).action).toEqual({ label: 'Pay Now', href: `/pay-now/${order._id}` });
  });

  test('with a paid order that is not delivered is nothing', () => {
    expect(nextStep(orderWith('Paid', 'Pending')).action).toBeUndefined();
  });

  test('with a delivered order is to see the delivery', () => {
    const order = orderWith('Paid', 'Delivered');
    expect(nextStep(order).action).toEqual({ label: 'See what we delivered', href: `/order/${order._id}` });
  });

  test('with a delivered order whose brief was reopened is to answer the questions', () => {
    const order = orderWith('Paid', 'Delivered');
    const again = nextStep(order, { brief: 'open', isBriefReopened: true, steps: [] });
    expect(again).toMatchObject({ action: { href: `/order-brief/${order._id}` }, turn: 'yours' });
    expect(again.text).toMatch(/^Your order is paid and delivered\. We have reopened our questions/);
    // Unanswered questions are not asked again.
    expect(nextStep(order, { brief: 'open', isBriefReopened: false, steps: [] })).toEqual(nextStep(order));
  });

  test('with a cancelled or refunded order is to order the package again', () => {
    for (const paymentStatus of ['Cancelled', 'Refunded'] as const)
      for (const orderStatus of ['Pending', 'Delivered'] as const)
        expect(nextStep(orderWith(paymentStatus, orderStatus)).action).toBe('orderAgain');
  });

  test('with a refunded month is to see the subscription, which continues', () => {
    const subscriptionId = '0192f0c1-0000-7000-8000-000000000003';
    expect(nextStep({ ...orderWith('Refunded', 'Pending'), subscriptionId })).toEqual({
      text: 'This month was refunded in full. Your subscription shows what happens next.',
      action: { label: 'See your subscription', href: `/subscription/${subscriptionId}` },
    });
  });
});

describe('The timeline of an order', () => {
  test('shows what has happened and what remains', () => {
    const steps = progressSteps(orderWith('Paid', 'Pending'), [
      event('placed', '2026-11-01T09:00:00.000Z'),
      event('paymentStarted', '2026-11-01T09:01:00.000Z'),
      event('paid', '2026-11-01T09:05:00.000Z'),
    ]);
    expect(steps).toEqual([
      { title: 'Order placed', state: 'done', at: '2026-11-01T09:00:00.000Z' },
      { title: 'Payment received', state: 'done', at: '2026-11-01T09:05:00.000Z' },
      { title: 'We are working on your order', state: 'current' },
      { title: 'Delivery', state: 'upcoming' },
    ]);
  });

  test('shows the due day of the steps that remain, and whether a finished step was early or late', () => {
    const after = { step: 'Review', dueDay: '2026-11-05', doneDay: '2026-11-03', note: 'Twelve repairs.' };
    const steps = progressSteps(
      orderWith('Paid', 'Pending'),
      [event('stepDone', '2026-11-03T09:00:00.000Z', after)],
      {
        steps: [
          step('Review', 'done'),
          step('Drafts', 'waiting'),
          step('Pages', 'open', { isOverdue: true }),
        ],
      },
    );
    expect(steps.map(({ title, state, note }) => [title, state, note])).toEqual([
      ['Finished: Review', 'done', 'Done 2 days early: it was due on Nov 5, 2026\nTwelve repairs.'],
      ['Your approval: Drafts', 'current', 'Due Nov 30, 2026'],
      ['Pages', 'upcoming', 'Late: it was due on Nov 30, 2026'],
      ['Delivery', 'upcoming', undefined],
    ]);
  });

  test('shows the new day and the original day of a step that was moved', () => {
    const moved = { step: 'Pages', dueDay: '2026-12-04', movedFrom: '2026-11-30' };
    const steps = progressSteps(
      orderWith('Paid', 'Pending'),
      [event('stepMoved', '2026-11-20T09:00:00.000Z', moved)],
      { steps: [step('Pages', 'open', { dueDay: '2026-12-04', plannedDay: '2026-11-30' })] },
    );
    expect(steps.slice(0, 2).map(({ title, note }) => [title, note])).toEqual([
      ['We changed the due date: Pages', 'Due Dec 4, 2026 instead of Nov 30, 2026'],
      ['Pages', 'Due Dec 4, 2026, first planned for Nov 30, 2026'],
    ]);
  });

  test('ends with the delivery of a paid order', () => {
    const steps = progressSteps(orderWith('Paid', 'Delivered'), [
      event('placed', '2026-11-01T09:00:00.000Z'),
      event('paid', '2026-11-01T09:05:00.000Z'),
      event('delivered', '2026-11-09T15:00:00.000Z'),
    ]);
    expect(steps.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  });

  test('lists the steps that were not done, after the delivery or a refund', () => {
    const plan = [
      step('Review', 'done'),
      step('Drafts', 'waiting'),
      step('Pages', 'open'),
      step('Report', 'open', { isUntracked: true }),
    ];
    for (const [order, refund] of [
      [orderWith('Paid', 'Delivered'), null],
      [orderWith('Refunded', 'Pending'), null],
      [orderWith('Paid', 'Pending'), 'refundFailed'],
    ] as const)
      expect(progressSteps(order, [], { steps: plan, refund }).map(({ title }) => title)).toEqual([
        'Not approved: Drafts',
        'Not done: Pages',
      ]);
    const { text } = nextStep(orderWith('Paid', 'Delivered'), { brief: 'sent', steps: plan });
    expect(text).toContain('These steps of the plan were not marked as done: “Drafts” and “Pages”.');
  });

  test('ends when the order was cancelled', () => {
    const steps = progressSteps(orderWith('Cancelled', 'Pending'), [
      event('placed', '2026-11-01T09:00:00.000Z'),
      event('cancelled', '2026-11-01T10:00:00.000Z'),
    ]);
    expect(steps.map(({ state }) => state)).toEqual(['done', 'stopped']);
  });

  test('shows how much was refunded, of the order or of an extra payment', () => {
    const at = '2026-11-01T10:00:00.000Z';
    const steps = progressSteps(orderWith('Refunded', 'Pending'), [
      event('refundStarted', at, { amount: '1499' }),
      event('refunded', at, { amount: '1499', refundedCents: '149900' }),
      event('refunded', at, { amount: '20.50' }),
    ]);
    expect(steps.map(({ title }) => title)).toEqual([
      'Refund of $1,499 on its way',
      'Refund of $1,499 sent',
      'Payment of $20.50 returned, because the order could not accept it',
    ]);
  });
});

test('The summary of an order shows ordered, paid and delivered', () => {
  const states = (order: ReturnType<typeof orderWith>) => orderSteps(order).map(({ state }) => state);
  expect(states(orderWith('UnPaid', 'Pending'))).toEqual(['done', 'current', 'upcoming']);
  expect(states(orderWith('Paid', 'Pending'))).toEqual(['done', 'done', 'current']);
  expect(states(orderWith('Paid', 'Delivered'))).toEqual(['done', 'done', 'done']);
  expect(states(orderWith('Cancelled', 'Pending'))).toEqual(['done', 'stopped']);
  expect(states(orderWith('Refunded', 'Delivered'))).toEqual(['done', 'done', 'stopped']);
});
