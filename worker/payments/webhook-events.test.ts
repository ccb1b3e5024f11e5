import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import type { PaymentContext } from './context.ts';
import { handleEvent } from './webhook-events.ts';

test.each(['__proto__', 'constructor', 'toString'])(
  'An event of the type %s is ignored, like any other unknown type',
  async (type) => {
    const event = { type, data: { object: { id: 'obj_1' } } } as unknown as Stripe.Event;
    await expect(handleEvent({} as PaymentContext, event)).resolves.toBeUndefined();
  },
);
