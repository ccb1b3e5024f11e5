/**
 * Places in an isolate that requests hold while they work, such as places in a queue. When a client disconnects, the
 * runtime may abort its request: timers stop, and `finally` does not run
 * (https://github.com/cloudflare/workerd/pull/5062). Each holder therefore sends a heartbeat from a timer of its
 * request, and a place without a recent heartbeat becomes free.
 */
import { remainingMs } from './clock.ts';

/** A holder without a heartbeat for this long, in ms, counts as gone. */
export const heartbeatTimeoutMs = 10_000;
const heartbeatMs = 1_000;

/** Creates the places. Each held place stores a description of its holder. */
export function createSemaphore<Holder>() {
  const places = new Map<number, { readonly holder: Holder; readonly seenAt: number }>();
  let last = 0;

  return {
    /** The held places by number, in order of arrival. */
    holders(): [place: number, holder: Holder][] {
      const now = Date.now();
      for (const [place, { seenAt }] of places)
        if (remainingMs(seenAt, heartbeatTimeoutMs, now) === 0) places.delete(place);
      return Array.from(places, ([place, { holder }]) => [place, holder]);
    },

    /** Holds a place until `work` is done. `work` gets the number of the place. */
    async holdWhile<T>(holder: Holder, work: (place: number) => Promise<T>): Promise<T> {
      const place = (last += 1);
      const sendHeartbeat = () => void places.set(place, { holder, seenAt: Date.now() });
      sendHeartbeat();
      const timer = setInterval(sendHeartbeat, heartbeatMs);
      try {
        return await work(place);
      } finally {
        clearInterval(timer);
        places.delete(place);
      }
    },
  };
}
