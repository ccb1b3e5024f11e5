/**
 * Webhook deliveries: each event is sent, signed, until it is answered with a 2xx, with growing pauses. What is not
 * yet delivered is in the state, so that a restart goes on with it. https://docs.stripe.com/webhooks
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { nowSeconds } from './objects.ts';
import type { State } from './state.ts';

export interface WebhookOptions {
  webhookSecret: string;
  /** Where events go; while it is undefined they wait. */
  webhookUrl?: string;
  /** The pause after the first failure, in milliseconds; each further one is twice as long. */
  retryBaseMs: number;
  retryCapMs: number;
}

const deliveryRow = z.object({
  id: z.number(),
  event_id: z.string(),
  type: z.string(),
  attempts: z.number(),
  due_at: z.number(),
  status: z.enum(['delivered', 'held', 'pending']),
});
type Delivery = z.infer<typeof deliveryRow>;

const answerTimeoutMs = 10_000;

/** The `Stripe-Signature` of a body sent at `timestamp` (Unix seconds). */
export function signPayload(payload: string, secret: string, timestamp: number): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}

/** Starts to deliver what is pending in `state`; `pump` tells it that there is more. */
export function openWebhooks(state: State, options: WebhookOptions) {
  const { database } = state;
  const { webhookSecret, retryBaseMs, retryCapMs } = options;
  let url = options.webhookUrl;
  let timer: NodeJS.Timeout | undefined;
  let heldTypes: string[] | undefined;
  let waiting: (() => void)[] = [];
  const inFlight = new Set<number>();
  const closing = new AbortController();

  const selectPending = database.prepare("SELECT * FROM deliveries WHERE status = 'pending' ORDER BY id");
  const update = database.prepare('UPDATE deliveries SET status = ?, attempts = ?, due_at = ? WHERE id = ?');
  const mark = ({ id, status, attempts, due_at }: Delivery) => update.run(status, attempts, due_at, id);

  /** Sends one event once; the status of the answer, or 0 when there was none. */
  async function send(eventId: string): Promise<number> {
    const event = state.get('event', eventId);
    if (!event || url === undefined) return 0;
    const body = JSON.stringify(event, null, 2);
    try {
      const answer = await fetch(url, {
        method: 'POST',
        body,
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'Stripe-Signature': signPayload(body, webhookSecret, nowSeconds()),
          'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        redirect: 'manual',
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(answerTimeoutMs)]),
      });
      await answer.body?.cancel();
      return answer.status;
    } catch {
      return 0;
    }
  }

  async function deliver(delivery: Delivery): Promise<void> {
    inFlight.add(delivery.id);
    const status = await send(delivery.event_id);
    inFlight.delete(delivery.id);
    if (closing.signal.aborted) return;
    const attempts = delivery.attempts + 1;
    if (status >= 200 && status < 300) {
      mark({ ...delivery, status: 'delivered', attempts });
      const event = state.get('event', delivery.event_id);
      if (event) state.put('event', { ...event, pending_webhooks: 0 });
    } else {
      const pauseMs = Math.min(retryBaseMs * 2 ** delivery.attempts, retryCapMs);
      mark({ ...delivery, attempts, due_at: Date.now() + pauseMs });
    }
    pump();
  }

  /** Takes out of the pending deliveries what a test wants kept back. */
  function hold(delivery: Delivery): boolean {
    if (delivery.attempts > 0 || inFlight.has(delivery.id)) return false;
    if (!heldTypes || (heldTypes.length > 0 && !heldTypes.includes(delivery.type))) return false;
    mark({ ...delivery, status: 'held' });
    return true;
  }

  function pump(): void {
    clearTimeout(timer);
    if (closing.signal.aborted || url === undefined) return;
    const pending = z
      .array(deliveryRow)
      .parse(selectPending.all())
      .filter((delivery) => !hold(delivery));
    if (pending.length === 0) for (const resolve of waiting.splice(0)) resolve();
    const idle = pending.filter(({ id }) => !inFlight.has(id));
    const now = Date.now();
    for (const delivery of idle) if (delivery.due_at <= now) void deliver(delivery);
    const later = idle.map(({ due_at }) => due_at).filter((dueAt) => dueAt > now);
    if (later.length > 0) timer = setTimeout(pump, Math.min(...later) - now);
  }

  return {
    pump,

    setUrl(next: string): void {
      url = next;
      pump();
    },

    /** Keeps back deliveries of these types (all types: none named) until `release`. */
    hold({ types }: { types: string[] }): void {
      heldTypes = types;
    },

    release(): void {
      heldTypes = undefined;
      database.exec("UPDATE deliveries SET status = 'pending', due_at = 0 WHERE status = 'held'");
      pump();
    },

    /** Resolves once nothing is pending. */
    untilDelivered: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        pump();
      }),

    close(): void {
      closing.abort();
      clearTimeout(timer);
      waiting = [];
    },
  };
}
export type Webhooks = ReturnType<typeof openWebhooks>;
