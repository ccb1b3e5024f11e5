/** Redirects from old addresses as they were spelled elsewhere, and to addresses that only look like this site's. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSystem, type InProcessSystem } from '../support/in-process-system.ts';
import { fetchAlone, signInAdministrator, type Visitor } from '../support/visitor.ts';

let system: InProcessSystem;
let administrator: Visitor;

beforeAll(async () => {
  system = await openSystem();
  administrator = await signInAdministrator(system.url);
});
afterAll(() => system.stop());

const add = async (from: string, to: string) => {
  const { status, json } = await administrator.post('/api/add-redirect', { from, to });
  return { status, errors: (json as { errors?: Record<string, string> }).errors };
};
const follow = async (path: string) => {
  const { status, headers } = await fetchAlone(new URL(path, system.url), { redirect: 'manual' });
  return [status, headers.get('Location')];
};

test('A redirect never leaves the site by a path that looks like this site’s', async () => {
  for (const to of [
    '/.//other.example/x',
    `${system.url}//other.example/pricing/`,
    `${system.url}//pricing/`,
  ])
    expect(await add('/old-link', to), to).toMatchObject({
      status: 422,
      errors: { to: expect.any(String) as string },
    });
});

test('A redirect is followed however the address spells its encoded characters', async () => {
  expect((await add('/caf%c3%a9/men%75', '/contact')).status).toBe(201);
  expect(await follow('/caf%C3%A9/menu')).toEqual([301, '/contact']);
  expect(await follow('/caf%c3%a9/%6denu/')).toEqual([301, '/contact']);
  expect(await add('/café/menu', '/service/')).toMatchObject({
    status: 422,
    errors: { from: expect.any(String) as string },
  });
});

test('A redirect can lead on from an address with a query, and other queries still reach the page', async () => {
  expect((await add('/?p=12', '/pricing/')).status).toBe(201);
  expect((await add('/?page=2&p=12', '/service/')).status).toBe(201);
  expect((await add('/index.php?id=3', '/')).status).toBe(201);
  expect(await follow('/?p=12')).toEqual([301, '/pricing/']);
  expect(await follow('/?utm_source=mail&p=12')).toEqual([301, '/pricing/?utm_source=mail']);
  expect(await follow('/?p=12&page=2')).toEqual([301, '/service/']);
  expect(await follow('/index.php?id=3')).toEqual([301, '/']);
  for (const page of ['/', '/?p=13', '/?utm_source=mail'])
    expect(await follow(page), page).toEqual([200, null]);
  expect(await follow('/index.php?id=4')).toEqual([404, null]);
});

test('A redirect from an address with a query is refused where it is never reached, is there already or leads back', async () => {
  const from = { status: 422, errors: { from: expect.any(String) as string } };
  expect((await add('/?a=1&b=2', '/contact')).status).toBe(201);
  expect(await add('/?b=2&a=1', '/service/')).toMatchObject(from);
  expect(await add('/?utm_source=mail', '/service/')).toMatchObject(from);
  expect(await add('/login?next=/', '/service/')).toMatchObject(from);
  expect(await add('/?c=3', '/?d=4&c=3')).toMatchObject({
    status: 422,
    errors: { to: 'This redirect leads back to itself: /?c=3 → /?c=3.' },
  });
});
