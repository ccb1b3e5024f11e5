/**
 * Webhook deliveries. Each event is sent to every enabled endpoint that subscribes to its type, signed with the
 * endpoint's secret. It is sent again, with growing pauses, until the endpoint answers with a 2xx. Pending events are
 * stored, so deliveries continue after a restart. https://docs.stripe.com/webhooks
 */
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { apiVersion, nowSeconds, type StripeEvent, type WebhookEndpoint } from './objects.ts';
import { newEndpoint, secretOf } from './registrations.ts';
import type { State } from './state.ts';

export interface WebhookOptions {
  /** The secret of the first endpoint. */
  webhookSecret: string;
  /** The URL of the first endpoint. As long as the account has no endpoint, events wait. */
  webhookUrl?: string;
  /** The `enabled_events` of that endpoint; `*` means all. */
  enabledEvents?: readonly string[];
}

/** The pause after the first failure, in ms. Each further pause is twice as long, up to a limit. */
const [firstPauseMs, longestPauseMs] = [1_000, 60_000];

const answerTimeoutMs = 10_000;

/** The `Stripe-Signature` of a body sent at `timestamp` (Unix seconds). */
export function signPayload(payload: string, secret: string, timestamp: number): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}

const ownId = 'we_of_the_options';

const wants = ({ status, enabled_events }: WebhookEndpoint, { type }: StripeEvent): boolean =>
  status === 'enabled' && (enabled_events.includes('*') || enabled_events.includes(type));

/** Starts to deliver pending events in `state`; `pump` announces new ones. */
export function openWebhooks(state: State, options: WebhookOptions) {
  const { webhookSecret, webhookUrl, enabledEvents = ['*'] } = options;
  const underWay = new Set<string>();
  const closing = new AbortController();
  const register = (url: string) => {
    const endpoint = { url, enabled_events: [...enabledEvents], metadata: {}, api_version: apiVersion };
    state.put('webhook_endpoint', { ...newEndpoint(endpoint), id: ownId });
  };
  if (webhookUrl !== undefined) register(webhookUrl);

  /** Sends a body to an endpoint once, signed. @throws when nothing answers */
  const send = ({ id, url }: WebhookEndpoint, body: string) =>
    fetch(url, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Stripe-Signature': signPayload(body, id === ownId ? webhookSecret : secretOf(id), nowSeconds()),
        'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      redirect: 'manual',
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(answerTimeoutMs)]),
    });

  /** Sends an event until an endpoint accepts it, or no longer subscribes to it. */
  async function deliverTo(id: string, event: StripeEvent): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      const endpoint = state.get('webhook_endpoint', id);
      if (!endpoint || !wants(endpoint, event)) return;
      const answer = await send(endpoint, JSON.stringify(event, null, 2)).catch(() => undefined);
      await answer?.body?.cancel().catch(() => undefined);
      if (answer?.ok) return;
      const pauseMs = Math.min(firstPauseMs * 2 ** failures, longestPauseMs);
      await pause(pauseMs, undefined, { signal: closing.signal });
    }
  }

  async function deliver(event: StripeEvent, takers: readonly WebhookEndpoint[]): Promise<void> {
    underWay.add(event.id);
    await Promise.all(takers.map(({ id }) => deliverTo(id, event)));
    state.put('event', { ...event, pending_webhooks: 0 });
    underWay.delete(event.id);
    pump();
  }

  function pump(): void {
    if (closing.signal.aborted) return;
    const endpoints = state.list('webhook_endpoint', {});
    if (endpoints.length === 0) return;
    for (const event of state.list('event', { fields: { pending_webhooks: 1 } }).reverse()) {
      const takers = endpoints.filter((endpoint) => wants(endpoint, event));
      if (takers.length === 0) state.put('event', { ...event, pending_webhooks: 0 });
      else if (!underWay.has(event.id)) deliver(event, takers).catch(() => undefined);
    }
  }

  return {
    pump,

    setUrl(url: string): void {
      register(url);
      pump();
    },

    resend(event: StripeEvent): void {
      state.put('event', { ...event, pending_webhooks: 1 });
      pump();
    },

    /** Sends any body unchanged, signed, to the first endpoint. @returns its response */
    async sendBody(body: string) {
      const endpoint = state.get('webhook_endpoint', ownId);
      if (!endpoint) throw new Error('There is no webhook endpoint.');
      const answer = await send(endpoint, body);
      return { status: answer.status, answer: await answer.text() };
    },

    close: () => closing.abort(),
  };
}
export type Webhooks = ReturnType<typeof openWebhooks>;
