/** Which requests the guard of every call rejects as cross-site. */
import { expect, test } from 'vitest';
import { allCalls, type ListedCall } from '#contract/all-calls.ts';
import { newId } from '#contract/ids.ts';
import { fillPath } from '#contract/route-pattern.ts';
import { createApp } from './app.ts';
import { ApiError } from './errors.ts';
import { findCall, guard, isSameOrigin } from './guard.ts';

const site = 'https://www.example.test';
const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

const app = createApp();
app.use((c, next) => {
  c.set('call', findCall(c.req.method, c.req.path));
  return next();
});
app.use(guard);
app.all('*', (c) => c.text('through'));
app.onError(
  (error) => new Response(error.message, { status: error instanceof ApiError ? error.status : 500 }),
);

const pathOf = ({ path }: ListedCall) => `/api${fillPath(path, path.includes(':revision') ? '1' : newId())}`;
const callOf = (accepts: ListedCall['accepts'], who: ListedCall['who'] = 'anyone'): ListedCall => {
  const call = allCalls.find((one) => one.method !== 'GET' && one.accepts === accepts && one.who === who);
  if (!call) throw new Error(`No call for ${who} accepts ${String(accepts)}.`);
  return call;
};

/** The status of a write, and whether one of the guard's first two checks rejected it. */
async function write(call: ListedCall, headers: Record<string, string>, body = '{}') {
  const answer = await app.request(`${site}${pathOf(call)}`, { method: call.method, headers, body });
  return {
    status: answer.status,
    isForeign: /only be made from the site itself|^Send this call as/.test(await answer.text()),
  };
}

test('A call is found by its method and path, and HEAD finds what GET finds', () => {
  for (const call of allCalls) expect(findCall(call.method, pathOf(call))?.name).toBe(call.name);
  expect(findCall('HEAD', '/api/banner')?.name).toBe('GET /banner');
  expect(findCall('DELETE', '/api/orders')).toBeUndefined();
});

test('A request counts as same-origin only if the browser’s headers say so', () => {
  const isOwn = (headers: Record<string, string>) =>
    isSameOrigin(new Request(`${site}/api/auth/login`, { method: 'POST', headers }));
  for (const headers of [
    { Origin: site },
    { 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
    { 'Sec-Fetch-Site': 'none', Origin: site },
  ])
    expect(isOwn(headers), JSON.stringify(headers)).toBe(true);
  for (const headers of [
    {},
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: `${site}.evil.example` },
    { Origin: 'http://www.example.test' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: site },
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
  ])
    expect(isOwn(headers), JSON.stringify(headers)).toBe(false);
});

test('Every cross-site write is rejected, except for calls that are authorized in another way', async () => {
  const taken = [];
  for (const call of allCalls.filter(({ method }) => method !== 'GET')) {
    const { status, isForeign } = await write(call, { ...json, Origin: 'https://evil.example' });
    if (isForeign) expect(status, call.name).toBe(403);
    else taken.push(call.name);
  }
  expect(taken).toEqual(['POST /stripe/webhook', 'POST /unsubscribe/:id']);
});

test('A write is accepted only with a content type that its call accepts', async () => {
  const own = { Origin: site };
  const types = {
    json: json['Content-Type'],
    form: form['Content-Type'],
    file: 'multipart/form-data; boundary=x',
    bytes: 'application/octet-stream',
    text: 'text/plain',
    other: 'application/jsonx',
  };
  const takenBy = async (call: ListedCall) => {
    const taken: string[] = [];
    for (const [name, type] of Object.entries(types))
      if (!(await write(call, { ...own, 'Content-Type': type })).isForeign) taken.push(name);
    return taken;
  };
  expect(await takenBy(callOf(undefined))).toEqual(['json']);
  expect(await takenBy(callOf('form'))).toEqual(['json', 'form']);
  expect(await takenBy(callOf('file', 'content'))).toEqual(['json', 'file']);
  expect(await takenBy(callOf('bytes', 'account'))).toEqual(['json', 'bytes']);
});
