import { expect, test } from 'vitest';
import type { Due, DueItem } from '#contract/customers.calls.ts';
import { addDays } from '#contract/days.ts';
import type { Assigned } from '#contract/notes.calls.ts';
import { registerAdministrator, registerVerified, registerWithRole } from '../support/cast.ts';
import { sendMessage } from '../support/messages.ts';
import { placeOrder } from '../support/orders.ts';
import { sharedSystem } from '../support/shared-system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const url = sharedSystem.url;

const readDue = async (visitor: Visitor) => (await visitor.get('/api/due')).json as Due;
const isMine = (item: DueItem) => item.isMine;

test('Steps, missing answers, unpaid orders and messages are due, the reader’s own first', async () => {
  const staff = await signInAdministrator(url);
  const colleague = await registerAdministrator(url, staff);
  const customer = await registerVerified(url, 'due');
  const [paid, unpaid] = [await placeOrder(customer), await placeOrder(customer, 'Standard')];
  await staff.put(`/api/order/${paid._id}`, { paymentStatus: 'Paid' });
  const message = await sendMessage(new Visitor(url));
  const paths = [`order/${paid._id}`, `order/${unpaid._id}`, `message/${message._id}`];
  const { staff: people } = (await staff.get(`/api/${paths[0] ?? ''}/assignee`)).json as Assigned;
  const assigneeId = people.find(({ name }) => name === colleague.email)?._id ?? '';
  for (const path of paths) await staff.put(`/api/${path}/assignee`, { assigneeId });

  const { today, items } = await readDue(colleague);
  const mine = items.filter(isMine);
  expect(items.slice(0, mine.length)).toEqual(mine);
  expect(new Set(items.map(({ _id }) => _id)).size).toBe(items.length);
  for (const { day } of items) expect(day <= addDays(today, 6), day).toBe(true);
  const ofPaid = { recordId: paid._id, number: paid.number, name: 'Ada Broker' };
  expect(mine.find(({ kind }) => kind === 'brief')).toMatchObject({ ...ofPaid, day: addDays(today, 4) });
  expect(mine.find(({ kind }) => kind === 'step')).toMatchObject(ofPaid);
  expect(mine.find(({ kind }) => kind === 'unpaid')).toMatchObject({
    recordId: unpaid._id,
    number: unpaid.number,
    title: 'Standard',
  });
  expect(mine.find(({ kind }) => kind === 'message')).toMatchObject({
    recordId: message._id,
    number: null,
    title: message.subject,
    name: 'Ann Example',
  });
  expect((await readDue(staff)).items.filter(isMine)).toEqual([]);

  await staff.put(`/api/message/${message._id}`, { messageStatus: 'Read' });
  await staff.put(`/api/order/${unpaid._id}`, { paymentStatus: 'Paid' });
  const kinds = (await readDue(colleague)).items.filter(isMine).map(({ kind }) => kind);
  expect(kinds).not.toContain('message');
  expect(kinds).not.toContain('unpaid');
});

test('An editor sees no orders or messages', async () => {
  const editor = await registerWithRole(url, await signInAdministrator(url), 'Editor');
  expect((await readDue(editor)).items).toEqual([]);
});
