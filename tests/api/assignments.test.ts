/** Assignees of orders and messages, message search, and saved answers. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '#contract/ids.ts';
import type { Message, MessageNeighbors, SavedAnswer } from '#contract/inbox.calls.ts';
import type { Assigned } from '#contract/notes.calls.ts';
import type { Order } from '#contract/orders.calls.ts';
import type { OrderWork, OwnWork } from '#contract/plans.calls.ts';
import { users } from '#worker/accounts/schema.ts';
import { registerAdministrator, registerVerified, registerWithRole } from '../support/cast.ts';
import { sendMessage } from '../support/messages.ts';
import { placeOrder } from '../support/orders.ts';
import { sharedSystem } from '../support/shared-system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const url = sharedSystem.url;
const staff = await signInAdministrator(url);
const colleague = await registerAdministrator(url, staff);

const send = (changes?: Record<string, unknown>) => sendMessage(new Visitor(url), changes);
const assigned = async (path: string) => (await staff.get(`/api/${path}/assignee`)).json as Assigned;
const idOf = async (path: string, email: string) =>
  (await assigned(path)).staff.find(({ name }) => name === email)?._id ?? '';
const mine = async <T extends { readonly _id: string }>(who: Visitor, list: string, query = '') =>
  (await who.get(`/api/${list}?mine=true${query}`)).json as T[];

test('A staff member finds the orders and messages assigned to them under “mine”', async () => {
  const customer = await registerVerified(url, 'assigned');
  const [order, message] = [await placeOrder(customer), await send()];
  const paths = [`order/${order._id}`, `message/${message._id}`];
  const colleagueId = await idOf(paths[0] ?? '', colleague.email);
  for (const path of paths) {
    expect((await assigned(path)).assigneeId).toBe('');
    expect((await staff.put(`/api/${path}/assignee`, { assigneeId: colleagueId })).status).toBe(204);
    expect((await assigned(path)).assigneeId).toBe(colleagueId);
  }
  const assignee = { _id: colleagueId, name: colleague.email };
  expect(await mine<Order>(colleague, 'orders')).toMatchObject([{ _id: order._id, assignee }]);
  expect(await mine<Message>(colleague, 'messages', '&messageStatus=UnRead')).toMatchObject([
    { _id: message._id, assignee },
  ]);
  expect(
    (await colleague.get('/api/orders?mine=true&orderStatus=Delivered')).headers.get('X-Total-Count'),
  ).toBe('0');
  expect((await colleague.get('/api/orders.csv?mine=true')).text.trim().split('\r\n')).toHaveLength(2);
  const listed = (await staff.get('/api/messages?pageSize=1')).json as Message[];
  expect(listed[0]?.assignee).toEqual(assignee);

  // Customers never see the email of the assignee.
  expect((await customer.get('/api/orders')).text).not.toContain(colleague.email);
  expect((await customer.get('/api/auth/account')).text).not.toContain(colleague.email);
  expect((await customer.get('/api/orders?mine=true')).status).toBe(422);

  await staff.put(`/api/${paths[1] ?? ''}/assignee`, { assigneeId: '' });
  expect(await mine<Message>(colleague, 'messages')).toEqual([]);
});

test('A customer sees the name and phone of the person in charge of their order', async () => {
  const customer = await registerVerified(url, 'in-charge');
  const order = await placeOrder(customer);
  const support = await registerWithRole(url, staff, 'Support');
  const assign = async (assigneeId: string) => staff.put(`/api/order/${order._id}/assignee`, { assigneeId });
  const shown = async () =>
    ((await customer.get(`/api/order/${order._id}/work`)).json as OrderWork).personInCharge;
  await assign(await idOf(`order/${order._id}`, support.email));
  // The person's profile is empty, and customers must not see their email.
  expect(await shown()).toBeNull();
  await support.put('/api/auth/profile', { name: 'Dana Cole', phone: '+1 312 555 0144' });
  expect(await shown()).toEqual({ name: 'Dana Cole', phone: '+1 312 555 0144' });
  const own = (await customer.get('/api/own-work')).json as OwnWork[];
  expect(own[0]?.work.personInCharge?.name).toBe('Dana Cole');
  await assign('');
  expect(await shown()).toBeNull();
});

test('Only people who may work on a record can be assigned to it', async () => {
  const order = await placeOrder(await registerVerified(url, 'checked'));
  const [editor, support] = await Promise.all([
    registerWithRole(url, staff, 'Editor'),
    registerWithRole(url, staff, 'Support'),
  ]);
  const names = (await assigned(`order/${order._id}`)).staff.map(({ name }) => name);
  expect(names).toContain(support.email);
  expect(names).not.toContain(editor.email);
  const put = (assigneeId: string) => staff.put(`/api/order/${order._id}/assignee`, { assigneeId });
  expect((await put(newId())).status).toBe(422);
  expect((await put('nobody')).status).toBe(422);
  expect((await staff.get(`/api/order/${newId()}/assignee`)).status).toBe(404);
  expect((await staff.put(`/api/message/${newId()}/assignee`, { assigneeId: '' })).status).toBe(404);
});

test('When somebody leaves, their work is unassigned, and is assigned to them again when they return', async () => {
  const message = await send();
  const leaver = await registerWithRole(url, staff, 'Support');
  const path = `message/${message._id}`;
  const assigneeId = await idOf(path, leaver.email);
  await staff.put(`/api/${path}/assignee`, { assigneeId });
  const setRole = (userRole: 'User' | 'Support') =>
    sharedSystem.db.update(users).set({ userRole }).where(eq(users.userEmail, leaver.email));
  await setRole('User');
  expect((await assigned(path)).assigneeId).toBe('');
  const [listed] = (await staff.get(`/api/messages?q=${message.subject.slice(-36)}`)).json as Message[];
  expect(listed).not.toHaveProperty('assignee');
  await setRole('Support');
  expect((await assigned(path)).assigneeId).toBe(assigneeId);
  expect((await leaver.delete('/api/auth/account')).status).toBe(204);
  expect((await assigned(path)).assigneeId).toBe('');
});

test('Messages are found by name, email, subject and text, and counted', async () => {
  const word = randomUUID().slice(0, 13);
  const found = [
    await send({ name: `Ann ${word}` }),
    await send({ email: `${word}@people.example` }),
    await send({ subject: `About ${word.toUpperCase()}` }),
    await send({ message: `First line\n100% ${word}` }),
  ].map(({ _id }) => _id);
  await staff.put(`/api/message/${found[0] ?? ''}`, { messageStatus: 'Read' });
  const search = async (q: string, more = '') => {
    const answer = await staff.get(`/api/messages?q=${encodeURIComponent(q)}${more}`);
    return [(answer.json as Message[]).map(({ _id }) => _id), answer.headers.get('X-Total-Count')];
  };
  expect(await search(word)).toEqual([[...found].reverse(), '4']);
  expect(await search(word, '&messageStatus=Read&pageSize=1')).toEqual([[found[0]], '1']);
  expect(await search(`100% ${word}`)).toEqual([[found[3]], '1']);
  expect(await search(`100_ ${word}`)).toEqual([[], '0']);
  expect((await staff.get(`/api/messages?q=${'x'.repeat(201)}`)).status).toBe(422);

  const next = async (id: string, more: string) =>
    (await staff.get(`/api/message/${id}/neighbors?q=${word}${more}`)).json as MessageNeighbors;
  expect(await next(found[1] ?? '', '')).toEqual({ newer: found[2], older: found[0] });
  // The message itself may have left the list, for example after it was marked as read.
  expect(await next(found[0] ?? '', '&messageStatus=UnRead')).toEqual({ newer: found[1], older: null });
  expect(await next(found[3] ?? '', '&messageStatus=UnRead')).toEqual({ newer: null, older: found[2] });
});

test('Administrators edit saved answers, all staff read them, and the audit log records each change', async () => {
  const support = await registerWithRole(url, staff, 'Support');
  const [id, title] = [newId(), `Prices ${randomUUID()}`];
  const path = `/api/saved-answer/${id}`;
  expect((await staff.put(path, { title, text: 'Dear {name},\nour prices …' })).status).toBe(200);
  for (let save = 0; save < 2; save += 1)
    expect((await staff.put(path, { title, text: 'Hello {name}' })).status).toBe(200);
  const ofSupport = (await support.get('/api/saved-answers')).json as SavedAnswer[];
  expect(ofSupport.filter(({ _id }) => _id === id)).toEqual([{ _id: id, title, text: 'Hello {name}' }]);
  expect((await support.put(path, { title, text: 'No' })).status).toBe(403);
  const refused = await staff.put(path, { title: ' ', text: '' });
  expect([refused.status, refused.json]).toMatchObject([
    422,
    { errors: { title: 'Please enter a title.', text: 'Please enter a reply.' } },
  ]);
  expect((await staff.delete(path)).status).toBe(204);
  expect((await staff.delete(path)).status).toBe(404);
  const log = (await staff.get('/api/audit-log')).text;
  // The third save changed nothing.
  expect(log.split(`Saved the reply “${title}”`)).toHaveLength(3);
  expect(log).toContain(`Deleted the saved reply “${title}”`);
});
