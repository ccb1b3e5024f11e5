/**
 * Stands in for the calls of Cloudflare's API that a deployment makes, and for the public DNS over HTTPS, with the data
 * of a test's account. Wrangler's token may read the account and its domains, which `wrangler login` grants. Only
 * `tokenForSwitches` may read and change a domain's switches.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from './listen.ts';
import type { StoredAccount } from './stored-account.ts';

/** The token that the person in a test creates in the dashboard. */
export const tokenForSwitches = 'token-for-switches';

interface Store {
  readonly read: () => Promise<StoredAccount>;
  readonly write: (account: StoredAccount) => Promise<void>;
}

type Answer = readonly [status: number, result: unknown];

const types: Readonly<Record<string, number>> = { A: 1, CNAME: 5, MX: 15, TXT: 16, AAAA: 28 };

/** https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/ */
function resolve({ dns = {} }: StoredAccount, query: URLSearchParams): object {
  const name = query.get('name') ?? '';
  const type = query.get('type') ?? '';
  const records = dns[`${name} ${type}`] ?? [];
  return {
    Status: Object.keys(dns).some((key) => key.startsWith(`${name} `)) ? 0 : 3,
    Answer: records.map((data) => ({ name, type: types[type], data: type === 'TXT' ? `"${data}"` : data })),
  };
}

/** Answers a call of a zone's switches. */
function switchZone(account: StoredAccount, path: readonly string[], method: string, body: object): Answer {
  const zone = account.zones?.find(({ name }) => name === path[1]);
  if (!zone) return [404, null];
  if (path[2] === 'bot_management') {
    if (method === 'PUT') Object.assign(zone, body);
    return [200, { fight_mode: zone.fight_mode }];
  }
  const id = path[3] ?? '';
  if (method === 'PATCH' && 'value' in body) zone.settings[id] = String(body.value);
  return [200, { id, value: zone.settings[id] }];
}

function answer(account: StoredAccount, url: URL, method: string, token: string, body: object): Answer {
  const path = url.pathname.replace('/client/v4/', '').split('/');
  const isForSwitches = path[0] === 'zones' && path.length > 1;
  if (token !== (isForSwitches ? tokenForSwitches : 'of-wrangler')) return [403, null];
  if (isForSwitches) return switchZone(account, path, method, body);
  if (path[0] === 'zones')
    return [
      200,
      (account.zones ?? [])
        .filter(({ name }) => name === url.searchParams.get('name'))
        .map(({ name, status }) => ({ id: name, name, status })),
    ];
  if (path[3] === 'domains') {
    const service = account.domains?.[url.searchParams.get('hostname') ?? ''];
    return [200, service === undefined ? [] : [{ service }]];
  }
  // `wrangler login` gives no permission for anything else, such as the account's subscriptions.
  return [403, null];
}

/** Starts both. `routes` maps their public URLs to this server. */
export async function startCloudflareApi({ read, write }: Store) {
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const body = request.method === 'GET' ? {} : ((await json(request)) as object);
      const account = await read();
      if (url.pathname === '/dns-query')
        return response.end(JSON.stringify(resolve(account, url.searchParams)));
      const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
      const [status, result] = answer(account, url, request.method ?? '', token, body);
      if (status === 200 && request.method !== 'GET') await write(account);
      const errors = status === 200 ? [] : [{ code: 10000, message: 'Authentication error' }];
      response.writeHead(status, { 'Content-Type': 'application/json' });
      return response.end(JSON.stringify({ success: status === 200, result, errors }));
    })();
  });
  const { url, close } = await listen(server);
  return { routes: { 'https://api.cloudflare.com': url, 'https://cloudflare-dns.com': url }, close };
}
