/**
 * Webhook deliveries: each event is sent, signed, until it is answered with a 2xx, with growing pauses. An event says
 * itself that it is yet to be delivered, so that a restart goes on with it. https://docs.stripe.com/webhooks
 */
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { nowSeconds, type StripeEvent } from './objects.ts';
import type { State } from './state.ts';

export interface WebhookOptions {
  webhookSecret: string;
  /** Where events go; while it is undefined they wait. */
  webhookUrl?: string;
  /** The endpoint's `enabled_events`: the types of events it receives; `*` means all. */
  enabledEvents: readonly string[];
  /** The pause after the first failure, in milliseconds; each further one is twice as long. */
  retryBaseMs: number;
  retryCapMs: number;
}

const answerTimeoutMs = 10_000;

/** The `Stripe-Signature` of a body sent at `timestamp` (Unix seconds). */
export function signPayload(payload: string, secret: string, timestamp: number): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}

/** Starts to deliver what is pending in `state`; `pump` tells it that there is more. */
export function openWebhooks(state: State, options: WebhookOptions) {
  const { webhookSecret, enabledEvents, retryBaseMs, retryCapMs } = options;
  let url = options.webhookUrl;
  let heldTypes: string[] | undefined;
  const underWay = new Set<string>();
  const closing = new AbortController();

  /** Sends a body once, signed. @throws when nothing answers */
  function send(body: string): Promise<Response> {
    return fetch(url ?? '', {
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
  }

  /** Sends an event once. @returns whether it was accepted */
  async function isAccepted(event: StripeEvent): Promise<boolean> {
    const answer = await send(JSON.stringify(event, null, 2));
    await answer.body?.cancel();
    return answer.ok;
  }

  async function deliver(event: StripeEvent): Promise<void> {
    underWay.add(event.id);
    for (let failures = 0; !(await isAccepted(event).catch(() => false)); failures += 1) {
      const pauseMs = Math.min(retryBaseMs * 2 ** failures, retryCapMs);
      await pause(pauseMs, undefined, { signal: closing.signal });
    }
    state.put('event', { ...event, pending_webhooks: 0 });
    underWay.delete(event.id);
    pump();
  }

  const isEnabled = ({ type }: StripeEvent) => enabledEvents.includes('*') || enabledEvents.includes(type);
  const isHeld = ({ type }: StripeEvent) => heldTypes?.length === 0 || heldTypes?.includes(type);

  function pump(): void {
    if (closing.signal.aborted || url === undefined) return;
    for (const event of state.list('event', { fields: { pending_webhooks: 1 } }).reverse()) {
      if (!isEnabled(event)) state.put('event', { ...event, pending_webhooks: 0 });
      else if (!isHeld(event) && !underWay.has(event.id)) deliver(event).catch(() => undefined);
    }
  }

  return {
    pump,

    setUrl(next: string): void {
      url = next;
      pump();
    },

    /** Keeps back events of these types (all types: none named) that are not under way, until `release`. */
    hold({ types }: { types: string[] }): void {
      heldTypes = types;
    },

    release(): void {
      heldTypes = undefined;
      pump();
    },

    /** Delivers an event once more. */
    resend(event: StripeEvent): void {
      state.put('event', { ...event, pending_webhooks: 1 });
      pump();
    },

    /** Sends any body as it is, signed. @returns what the endpoint answered */
    async sendBody(body: string) {
      const answer = await send(body);
      return { status: answer.status, answer: await answer.text() };
    },

    close: () => closing.abort(),
  };
}
export type Webhooks = ReturnType<typeof openWebhooks>;
