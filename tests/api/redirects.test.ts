/** Redirects: from addresses that are no more to where administrators say, and never in a circle. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { fetchAlone, signInAdministrator, type Answer, type Visitor } from '../support/visitor.ts';

let system: TestSystem;
let administrator: Visitor;

beforeAll(async () => {
  system = await startTestSystem();
  administrator = await signInAdministrator(system.url);
});
afterAll(() => system.stop());

const add = (from: string, to: string): Promise<Answer> =>
  administrator.post('/api/add-redirect', { from, to });
const open = (path: string) => fetchAlone(new URL(path, system.url), { redirect: 'manual' });
const problemOf = ({ status, json }: Answer) => ({
  status,
  ...(json as { errors?: Record<string, string> }),
});

test('A visitor of an old address is led on for good, with what the address was asked with', async () => {
  for (const [from, to] of [
    ['/old-offer', '/pricing/#packages'],
    ['/über-uns/', '/service/'],
    ['/blog', 'https://blog.example/all'],
    ['/contact.html', '/contact'],
  ] as const)
    expect((await add(from, to)).status).toBe(201);
  for (const [asked, led] of [
    ['/old-offer', '/pricing/#packages'],
    ['/old-offer/?utm_source=mail', '/pricing/?utm_source=mail#packages'],
    [encodeURI('/über-uns'), '/service/'],
    ['/blog', 'https://blog.example/all'],
    ['/contact.html', '/contact'],
    ['/packages', '/pricing/'],
  ] as const) {
    const answer = await open(asked);
    expect([answer.status, answer.headers.get('Location')], asked).toEqual([301, led]);
  }
  expect((await open('/old-offers')).status).toBe(404);
});

test('A redirect is gone as soon as it is removed', async () => {
  const { _id } = (await add('/for-a-while', '/contact')).json as { readonly _id: string };
  expect((await open('/for-a-while')).status).toBe(301);
  expect((await administrator.delete(`/api/redirect/${_id}`)).status).toBe(200);
  expect((await open('/for-a-while')).status).toBe(404);
});

test('A page may link to a redirect, which stays as long as the page does', async () => {
  const { _id } = (await add('/summer', '/pricing/')).json as { readonly _id: string };
  const [banner] = (await administrator.get('/api/banner')).json as readonly [
    Readonly<Record<string, string>>,
  ];
  const change = (buttonURL: string | undefined) =>
    administrator.put(`/api/update-banner/${banner['_id'] ?? ''}`, { buttonURL });
  expect((await change('/summer')).status).toBe(200);
  expect((await administrator.delete(`/api/redirect/${_id}`)).status).toBe(422);
  expect((await change(banner['buttonURL'])).status).toBe(200);
  expect((await administrator.delete(`/api/redirect/${_id}`)).status).toBe(200);
});

test.each([
  '/',
  '/pricing',
  '/contact-us/',
  '/login',
  '/admin',
  '/api/banner',
  '/favicon.svg',
  '/_astro/x',
  '/media/x',
])('An administrator cannot lead visitors away from %s, which is in use', async (from) => {
  expect(problemOf(await add(from, '/service/'))).toMatchObject({
    status: 422,
    errors: { from: expect.stringContaining('in use') as string },
  });
});

test.each(['mailto:a@b.example', '#top', '/nowhere-at-all'])(
  'An administrator cannot lead visitors to %s',
  async (to) => {
    expect(problemOf(await add('/leads-nowhere', to))).toMatchObject({
      status: 422,
      errors: { to: expect.any(String) as string },
    });
  },
);

test('An administrator cannot lead visitors in a circle, over several redirects neither, nor make two from one address', async () => {
  const first = (await add('/one', '/contact')).json as { readonly _id: string };
  expect((await add('/two', '/one')).status).toBe(201);
  expect((await add('/three', '/two/')).status).toBe(201);
  const lead = (to: string) => administrator.put(`/api/redirect/${first._id}`, { to });
  for (const to of ['/one', '/one/', '/two', '/three', `${system.url}/three?x=1`])
    expect(problemOf(await lead(to)), to).toMatchObject({
      status: 422,
      errors: { to: expect.stringContaining('leads back to itself') as string },
    });
  // One to which another leads is not taken away, or moved, under its feet.
  for (const refused of [
    await administrator.delete(`/api/redirect/${first._id}`),
    await administrator.put(`/api/redirect/${first._id}`, { from: '/elsewhere' }),
  ])
    expect(problemOf(refused)).toMatchObject({
      status: 409,
      detail: expect.stringContaining('The redirect from /two leads to /one') as string,
    });
  expect((await open('/two')).status).toBe(301);
  expect(problemOf(await add('/two/', '/contact'))).toMatchObject({
    status: 422,
    errors: { from: expect.any(String) as string },
  });
});
