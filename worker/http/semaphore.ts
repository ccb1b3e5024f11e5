/**
 * Places in an isolate that requests hold while they are at work, such as those in a queue. When a client leaves, its request
 * may be ended on the spot, with its timers and without its `finally`
 * (https://github.com/cloudflare/workerd/pull/5062). So whoever holds a place shows by a timer of their own request that they
 * are there, and a place whose holder has not been seen for a while is free again.
 */
import { remainingMs } from './clock.ts';

/** Who has not been seen for this long has left, in ms. */
export const goneAfterMs = 10_000;
const beatMs = 1_000;

/** Places, each with what is known of its holder. */
export function createSemaphore<Holder>() {
  const places = new Map<number, { readonly holder: Holder; readonly seenAt: number }>();
  let last = 0;

  return {
    /** Who holds a place, by its number, in order of arrival. */
    holders(): [place: number, holder: Holder][] {
      const now = Date.now();
      for (const [place, { seenAt }] of places)
        if (remainingMs(seenAt, goneAfterMs, now) === 0) places.delete(place);
      return Array.from(places, ([place, { holder }]) => [place, holder]);
    },

    /** Holds a place, whose number `work` is given, until that is done. */
    async holdWhile<T>(holder: Holder, work: (place: number) => Promise<T>): Promise<T> {
      const place = (last += 1);
      const show = () => void places.set(place, { holder, seenAt: Date.now() });
      show();
      const beat = setInterval(show, beatMs);
      try {
        return await work(place);
      } finally {
        clearInterval(beat);
        places.delete(place);
      }
    },
  };
}
