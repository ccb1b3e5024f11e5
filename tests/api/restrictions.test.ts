/** A firm in which only administrators change prices and see totals (the settings PRICE_CHANGES and SUPPORT_TOTALS). */
import { afterAll, expect, test } from 'vitest';
import { registerWithRole } from '../support/cast.ts';
import { firstRecord } from '../support/content.ts';
import { openSystem } from '../support/in-process-system.ts';
import { signInAdministrator, type Visitor } from '../support/visitor.ts';

const system = await openSystem({ vars: { PRICE_CHANGES: 'administrators', SUPPORT_TOTALS: 'hidden' } });
const administrator = await signInAdministrator(system.url);
const editor = await registerWithRole(system.url, administrator, 'Editor');
const offer = await firstRecord(editor, '/pricings');
afterAll(() => system.stop());

const refusal = { status: 403, json: { detail: 'Only an administrator may change prices. Please ask one.' } };

test('An Editor changes the texts of a package, but neither its price nor whether it is paid every month', async () => {
  const save = (who: Visitor, values: object) => who.put(`/api/pricing/${offer._id}`, values);
  expect((await save(editor, { packagePointOne: 'A new point' })).status).toBe(200);
  expect(await save(editor, { packagePrice: '1' })).toMatchObject(refusal);
  expect(await save(editor, { billing: 'monthly' })).toMatchObject(refusal);
  // The same price in other digits is not a change.
  expect((await save(editor, { packagePrice: `${offer['packagePrice'] ?? ''}.00` })).status).toBe(200);
  expect((await firstRecord(editor, '/pricings'))['packagePointOne']).toBe('A new point');
});

test('An Editor neither adds a price to a release nor restores one', async () => {
  const release = (await editor.post('/api/releases', { title: 'Spring' })).json as { _id: string };
  const add = (who: Visitor, values: object) =>
    who.post(`/api/release/${release._id}/changes`, {
      section: 'pricingPackage',
      recordId: offer._id,
      action: 'update',
      values,
    });
  expect(await add(editor, { packagePrice: '1' })).toMatchObject(refusal);
  expect((await add(administrator, { packagePrice: '650' })).status).toBe(201);
  // The administrator has decided on the price. An Editor may publish it.
  expect((await editor.post(`/api/release/${release._id}/publish`)).status).toBe(200);
  expect((await firstRecord(editor, '/pricings'))['packagePrice']).toBe('650');
  const { json } = await editor.get('/api/publications');
  const [last, before] = json as readonly { revision: number }[];
  const restore = (who: Visitor) =>
    who.post(`/api/publications/${before?.revision ?? 0}/go-back`, undefined, {
      headers: { 'If-Match': `"${last?.revision ?? 0}"` },
    });
  expect(await restore(editor)).toMatchObject(refusal);
});

test('Support works on orders and subscriptions, and sees no totals of them', async () => {
  const support = await registerWithRole(system.url, administrator, 'Support');
  const totals = ['/api/order-totals', '/api/sales', '/api/sources', '/api/subscription-totals'];
  for (const path of totals) {
    expect((await support.get(path)).status, path).toBe(403);
    expect((await administrator.get(path)).status, path).toBe(200);
  }
  for (const path of ['/api/orders', '/api/subscriptions', '/api/order-totals?own=true'])
    expect((await support.get(path)).status, path).toBe(200);
  expect((await support.get('/admin')).text).toContain('data-restrictions="totals"');
  expect((await administrator.get('/admin')).text).toContain('data-restrictions=""');
});
