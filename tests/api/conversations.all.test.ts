import { expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import type { OrderFile } from '#contract/conversations.calls.ts';
import { maxFileBytes } from '#contract/conversations.ts';
import { registerVerified } from '../support/cast.ts';
import { placeOrder, sendFile } from '../support/orders.ts';
import { fetchAlone } from '../support/visitor.ts';

test('A file of 25 MiB comes back complete', async () => {
  const url = sharedSystem.url;
  const customer = await registerVerified(url);
  const { _id } = await placeOrder(customer);
  const largest = new Uint8Array(maxFileBytes).fill(7);
  const file = (await sendFile(customer, _id, largest, { name: 'film.bin' })).json as OrderFile;
  expect(file).toMatchObject({ bytes: largest.length, type: 'application/octet-stream' });
  const address = new URL(`/api/order-file/${file._id}`, url);
  const back = await fetchAlone(address, { headers: customer.cookies.header });
  expect((await back.arrayBuffer()).byteLength).toBe(largest.length);
});
