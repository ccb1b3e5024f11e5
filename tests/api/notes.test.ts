/** Staff notes about orders and messages. `customers.test.ts` tests those about customers. */
import { expect, test } from 'vitest';
import type { StaffNote } from '#contract/notes.calls.ts';
import type { NoteKind } from '#contract/notes.ts';
import { registerVerified } from '../support/cast.ts';
import { sendMessage } from '../support/messages.ts';
import { placeOrder } from '../support/orders.ts';
import { sharedSystem } from '../support/shared-system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const url = sharedSystem.url;
const staff = await signInAdministrator(url);

const addNote = async (kind: NoteKind, id: string, text: string) =>
  (await staff.post(`/api/${kind}/${id}/notes`, { text })).json as StaffNote;
const textsOf = async (kind: NoteKind, id: string) =>
  ((await staff.get(`/api/${kind}/${id}/notes`)).json as StaffNote[]).map(({ text }) => text);

test('An order and a message have separate notes', async () => {
  const order = await placeOrder(await registerVerified(url, 'noted'));
  const message = await sendMessage(new Visitor(url));
  await addNote('order', order._id, 'Wants a call');
  const note = await addNote('order', order._id, 'Called');
  await addNote('message', message._id, 'Asks twice');
  expect(await textsOf('order', order._id)).toEqual(['Called', 'Wants a call']);
  expect(await textsOf('message', message._id)).toEqual(['Asks twice']);
  expect(await textsOf('customer', order._id)).toEqual([]);

  expect((await staff.delete(`/api/message-note/${note._id}`)).status).toBe(404);
  expect((await staff.delete(`/api/order-note/${note._id}`)).status).toBe(204);
  expect(await textsOf('order', order._id)).toEqual(['Wants a call']);
  expect((await staff.post(`/api/order/${note._id}/notes`, { text: 'Nothing there' })).status).toBe(404);
});

test('Notes about a message are deleted with it', async () => {
  const message = await sendMessage(new Visitor(url));
  const note = await addNote('message', message._id, 'Odd');
  await staff.delete(`/api/message/${message._id}`);
  expect(await textsOf('message', message._id)).toEqual([]);
  expect((await staff.delete(`/api/message-note/${note._id}`)).status).toBe(404);
});
