/** The headers of every page and of every call, for a visitor and an administrator. */
import { beforeAll, expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import { allScreens } from '#contract/all-screens.ts';
import { allCalls } from '#contract/calls/index.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';
import { expectCallHeaders, expectPageHeaders } from './expected-headers.ts';

const url = sharedSystem.url;
const stripeOrigin = new URL(sharedSystem.stripe.url).origin;
const visitor = new Visitor(url);
let administrator: Visitor;
beforeAll(async () => {
  administrator = await signInAdministrator(url);
});

test('Every page says what it may load, and caches keep it only when it is the same for everyone', async () => {
  expect(allScreens.length).toBeGreaterThan(90);
  for (const screen of allScreens)
    for (const caller of [visitor, administrator]) await expectPageHeaders(caller, screen, stripeOrigin);
});

test('No cache keeps the answer of any call', async () => {
  for (const call of allCalls)
    // An administrator only reads, because a write could change something.
    for (const caller of call.method === 'GET' && call.who !== 'account'
      ? [visitor, administrator]
      : [visitor])
      await expectCallHeaders(caller, call);
});
