/** Looks up many PaymentIntents at Stripe with as few calls as possible. */
import type Stripe from 'stripe';
import { timeOfId } from '#contract/ids.ts';
import { forEachConcurrent } from '../operations/for-each-concurrent.ts';
import type { PaymentContext } from './context.ts';
import type { paymentIntents } from './schema.ts';
import { askWithCharge, findIntent } from './stripe.ts';

export type OpenIntent = typeof paymentIntents.$inferSelect;

/** The maximum number of items on one list page (https://docs.stripe.com/api/pagination). */
const pageLength = 100;
/**
 * How many list pages with few hits we accept before we retrieve the rest one by one: at most a quarter of the
 * calls that this would take. Waiting intents may be old, and lists start with the newest.
 */
const forgivenPages = (wanted: number): number => Math.min(Math.max(3, Math.floor(wanted / 4)), 20);
/** How far Stripe's clock may differ from ours, and an intent's creation from its row's, in seconds. */
const slackSeconds = 5 * 60;

export interface Found {
  readonly open: OpenIntent;
  /** Undefined if Stripe has no such intent under this key. */
  readonly intent?: Stripe.PaymentIntent | undefined;
  /** Why we could not ask Stripe. */
  readonly error?: unknown;
}

/** The range of the intents' creation times, as a parameter of a list call. */
function createdBetween(wanted: Iterable<OpenIntent>): Stripe.RangeQueryParam {
  const seconds = [...wanted].map(({ _id }) => Math.floor(timeOfId(_id) / 1_000));
  return { gte: Math.min(...seconds) - slackSeconds, lte: Math.max(...seconds) + slackSeconds };
}

/**
 * Removes from `wanted` the intents that list calls return, newest first, while that takes fewer calls than retrieving
 * them one by one.
 */
async function listIntents({ stripe }: PaymentContext, wanted: Map<string, OpenIntent>): Promise<Found[]> {
  const found: Found[] = [];
  const created = createdBetween(wanted.values());
  const forgiven = forgivenPages(wanted.size);
  let last: string | undefined;
  for (let pages = 1; wanted.size > 1 && pages <= found.length / 2 + forgiven; pages += 1) {
    const after = last !== undefined && { starting_after: last };
    const { data, has_more: hasMore } = await askWithCharge((charge) =>
      stripe.paymentIntents.list({ created, limit: pageLength, expand: [`data.${charge}`], ...after }),
    );
    for (const intent of data) {
      const open = wanted.get(intent.id);
      if (open) found.push({ open, intent });
      wanted.delete(intent.id);
    }
    last = data.at(-1)?.id;
    if (!hasMore || last === undefined) break;
  }
  return found;
}

/**
 * The current state of every intent at Stripe. If listing fails, the listed intents are not retrieved one by one
 * either.
 */
export async function findIntents(context: PaymentContext, due: readonly OpenIntent[]): Promise<Found[]> {
  const wanted = new Map(due.map((open) => [open.paymentIntentId, open]));
  const found: Found[] = [];
  try {
    found.push(...(await listIntents(context, wanted)));
  } catch (error) {
    return [...wanted.values()].map((open) => ({ open, error }));
  }
  await forEachConcurrent([...wanted.values()], async (open) => {
    try {
      found.push({ open, intent: await findIntent(context.stripe, open.paymentIntentId) });
    } catch (error) {
      found.push({ open, error });
    }
  });
  return found;
}
