/** Calls Cloudflare's API with wrangler's token, for tasks without a wrangler command. Never sends secrets. */
import * as z from 'zod';
import { namesAbove } from './dns.ts';
import { askWrangler } from './wrangler.ts';

const origin = 'https://api.cloudflare.com/client/v4';

/** The timeout of a request, in ms. */
const answerLimitMs = 20_000;

const envelope = z.object({
  success: z.boolean(),
  result: z.unknown(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })).default([]),
});

/** An error response from Cloudflare, with its status and code, such as 403 and 10000 for a missing permission. */
export class CloudflareRefusal extends Error {
  override readonly name = 'CloudflareRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Calls the API and returns the response's `result`.
 * @throws CloudflareRefusal, or TypeError if there is no response
 */
export type AskCloudflare = (path: string, init?: { method: string; body: object }) => Promise<unknown>;

/** @param token an API token */
export const cloudflareApi =
  (token: string): AskCloudflare =>
  async (path, init) => {
    const answer = await fetch(origin + path, {
      method: init?.method ?? 'GET',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(answerLimitMs),
      ...(init && { body: JSON.stringify(init.body) }),
    });
    const { success, result, errors } = envelope.parse(await answer.json());
    if (answer.ok && success) return result;
    const said = errors.map(({ code, message }) => `${message} [code: ${code}]`).join(' ');
    throw new CloudflareRefusal(answer.status, `Cloudflare returned ${answer.status} for ${path}: ${said}`);
  };

const ownToken = z.object({ token: z.string() });

/** The API with the token of `wrangler login` or CLOUDFLARE_API_TOKEN; undefined if wrangler has no token. */
export async function ownCloudflareApi(): Promise<AskCloudflare | undefined> {
  const { code, stdout } = await askWrangler(['auth', 'token', '--json']);
  const read = code === 0 ? ownToken.safeParse(JSON.parse(stdout)) : undefined;
  return read?.success ? cloudflareApi(read.data.token) : undefined;
}

const zones = z.array(z.object({ id: z.string(), name: z.string(), status: z.string() }));
export type Zone = z.output<typeof zones>[number];

/**
 * The Cloudflare domain that a host belongs to; undefined if the account has none.
 * https://developers.cloudflare.com/api/resources/zones/methods/list/
 */
export async function findZone(
  ask: AskCloudflare,
  accountId: string,
  host: string,
): Promise<Zone | undefined> {
  for (const name of namesAbove(host)) {
    const query = new URLSearchParams({ name, 'account.id': accountId });
    const [zone] = zones.parse(await ask(`/zones?${query.toString()}`));
    if (zone) return zone;
  }
  return undefined;
}
