/** Users, through their calls: what is stored, who sees it, and that the site never loses its last administrator. */
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { invitationProblem } from '#worker/accounts/invitations.ts';
import { accounts, accountTokens, invitations, users } from '#worker/accounts/schema.ts';
import { auditEvents } from '#worker/audit/schema.ts';
import { newId } from '#contract/ids.ts';
import { mails } from '#worker/mail/schema.ts';
import { contentHistory, publications } from '#worker/content/schema.ts';
import { customerPassword } from '../support/accounts.ts';
import { overtake } from '../support/overtake.ts';
import type { Visitor } from '../support/visitor.ts';
import { type AccountsApp, openAccountsApp, sessionOf, signInNew } from './accounts-app.ts';

const setupToken = 'the-token-of-the-first-run';
const password = 'a-password-of-an-owner';
const owner = { userEmail: 'owner@example.com', userRole: 'Admin' } as const;

interface Listed {
  readonly _id: string;
  readonly userEmail: string;
  readonly userRole: string;
}

let app: AccountsApp;
let administrator: Visitor;

beforeEach(async () => {
  app = await openAccountsApp({ SETUP_TOKEN: setupToken });
  administrator = await signInNew(app, owner.userEmail);
  await app.db.insert(users).values({ _id: newId(), version: 1, ...owner });
});
afterEach(() => app.close());

const add = async (json: object, browser = administrator) => browser.post('/api/add-user', json);
const addOne = async (json: object) => (await add(json)).json as Listed;
const list = async (browser = administrator) => (await browser.get('/api/users')).json as readonly Listed[];
const change = (id: string, json: object, headers: Record<string, string> = {}, browser = administrator) =>
  browser.put(`/api/upadete-users/${id}`, json, { headers });
const remove = (id: string, browser = administrator) => browser.delete(`/api/users/${id}`);

/** A person with a verified account. */
const signUp = (email: string) => signInNew(app, email);

describe('An administrator', () => {
  test('adds, reads, changes and removes a user without making a publication', async () => {
    const added = await add({ userEmail: ' Second@Example.com' });
    expect([added.status, added.headers.get('ETag')]).toEqual([201, '"1"']);
    const record = added.json as Listed;
    expect(record).toEqual({ _id: record._id, userEmail: 'second@example.com', userRole: 'Admin' });
    expect(await list()).toEqual([{ _id: (await list())[0]?._id, ...owner }, record]);

    const changed = await change(record._id, { userRole: 'User' });
    expect([changed.status, changed.headers.get('ETag')]).toEqual([200, '"2"']);
    expect(changed.headers.has('X-Content-Revision')).toBe(false);
    const read = await administrator.get(`/api/users/${record._id}`);
    expect(read.headers.get('ETag')).toBe('"2"');
    expect(read.json).toEqual({ ...record, userRole: 'User' });

    const removed = await remove(record._id);
    expect([removed.status, removed.json]).toEqual([200, { ...record, userRole: 'User' }]);
    expect((await administrator.get(`/api/users/${record._id}`)).status).toBe(404);
    expect((await remove(record._id)).status).toBe(404);
    expect((await change(record._id, {})).status).toBe(404);
    expect(await app.db.$count(publications)).toBe(0);
    expect(await app.db.$count(contentHistory)).toBe(0);
  });

  test('gets 412 and the current record instead of overwriting a newer save', async () => {
    const { _id } = await addOne({ userEmail: 'second@example.com' });
    const stale = { 'If-Match': '"1"' };
    expect((await change(_id, { userRole: 'User' }, stale)).status).toBe(200);
    const refused = await change(_id, { userEmail: 'third@example.com' }, stale);
    expect([refused.status, refused.headers.get('ETag')]).toEqual([412, '"2"']);
    expect(refused.json).toMatchObject({
      current: { _id, userEmail: 'second@example.com', userRole: 'User' },
    });
    const racing = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        change(_id, { userEmail: `${name}@example.com` }, { 'If-Match': '"2"' }),
      ),
    );
    expect(racing.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  });

  test('adds each email once, in any case, even if several administrators add it at the same time', async () => {
    const answers = await Promise.all(
      ['second@example.com', 'SECOND@example.com', 'Second@Example.com'].map((userEmail) =>
        add({ userEmail }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const { _id } = await addOne({ userEmail: 'third@example.com' });
    const taken = await change(_id, { userEmail: 'OWNER@example.com' });
    expect([taken.status, taken.json]).toMatchObject([
      409,
      { errors: { userEmail: 'There is already a user with this email.' } },
    ]);
    expect(await list()).toHaveLength(3);
  });

  test('learns which field is wrong, and nothing is saved', async () => {
    const { _id } = await addOne({ userEmail: 'second@example.com' });
    for (const [wrong, fields] of [
      [{ userEmail: 'nobody' }, ['userEmail']],
      [{ userRole: 'Owner' }, ['userRole']],
      [{ version: 9, _id: 'x' }, ['_id', 'version']],
    ] as const)
      for (const answer of [
        await add({ userEmail: 'third@example.com', ...wrong }),
        await change(_id, wrong),
      ]) {
        const { errors = {} } = answer.json as { errors?: object };
        expect([answer.status, Object.keys(errors).toSorted()]).toEqual([422, fields]);
      }
    expect(await list()).toHaveLength(2);
  });

  test('reorders the users', async () => {
    await add({ userEmail: 'second@example.com' });
    await add({ userEmail: 'third@example.com' });
    const ids = (await list()).map(({ _id }) => _id);
    const put = (order: readonly string[]) => administrator.put('/api/users', { order });
    const answer = await put(ids.toReversed());
    expect(answer.status).toBe(200);
    expect((answer.json as Listed[]).map(({ _id }) => _id)).toEqual(ids.toReversed());
    for (const wrong of [ids.slice(1), [...ids.slice(1), newId()]])
      expect((await put(wrong)).status).toBe(422);
    expect((await list()).map(({ _id }) => _id)).toEqual(ids.toReversed());
  });
});

describe('The last administrator', () => {
  test('stays while the others have no account or no verified email', async () => {
    await add({ userEmail: 'nobody@example.com' });
    await add({ userEmail: 'unverified@example.com' });
    await signInNew(app, 'unverified@example.com', false);
    const id = (await list())[0]?._id ?? '';
    expect((await remove(id)).status).toBe(409);
    expect((await change(id, { userRole: 'Editor' })).status).toBe(409);
    await app.db.update(accounts).set({ emailVerifiedAt: 1 });
    expect((await change(id, { userRole: 'Editor' })).status).toBe(200);
  });

  test('cannot be removed, demoted or given another email', async () => {
    await add({ userEmail: 'second@example.com', userRole: 'User' });
    const id = (await list())[0]?._id ?? '';
    for (const answer of [
      await remove(id),
      await change(id, { userRole: 'User' }),
      await change(id, { userEmail: 'third@example.com' }),
    ])
      expect([answer.status, answer.json]).toMatchObject([
        409,
        { detail: expect.stringContaining('the last administrator') as string },
      ]);
    expect((await change(id, { userRole: 'Admin' })).status).toBe(200);
    expect(await list()).toMatchObject([owner, { userRole: 'User' }]);
  });

  test('stays if two administrators demote or remove each other at the same time', async () => {
    const second = await signUp('second@example.com');
    for (let round = 0; round < 3; round += 1) {
      await add({ userEmail: 'second@example.com' });
      const [first, other] = await list();
      const answers = await Promise.all([
        round === 1 ? remove(other?._id ?? '') : change(other?._id ?? '', { userRole: 'User' }),
        round === 1
          ? remove(first?._id ?? '', second)
          : change(first?._id ?? '', { userRole: 'User' }, {}, second),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await app.db.$count(users, eq(users.userRole, 'Admin'))).toBe(1);
      await app.db.delete(users);
      await app.db.insert(users).values({ _id: newId(), ...owner, userRole: 'Admin' });
    }
  });
});

describe('An invitation', () => {
  /** The secrets of the links that were emailed to a person, oldest first. */
  async function invitationsOf(email: string): Promise<string[]> {
    await app.settle();
    return app.mails
      .filter(({ to }) => to === email)
      .flatMap(({ text }) => /\/invitation\?token=([\w-]+)/.exec(text)?.[1] ?? []);
  }
  const accept = (token: string, json: object = {}, browser = app.openBrowser()) =>
    browser.post('/api/auth/invitation', { token, password, ...json });
  const role = async (browser: Visitor) => (await sessionOf(browser)).account?.role;

  test('makes its reader a member, once, with a password of 12 characters', async () => {
    await addOne({ userEmail: 'editor@example.com', userRole: 'Editor' });
    const [token = ''] = await invitationsOf('editor@example.com');
    expect((await accept(token, { password: 'eleven-char' })).status).toBe(422);
    expect(await invitationProblem(app.db, token)).toBeUndefined();
    const browser = app.openBrowser();
    const answers = await Promise.all([1, 2, 3].map(() => accept(token, {}, browser)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
    expect(await role(browser)).toBe('Editor');
    expect((await accept(token)).status).toBe(422);
    expect(await invitationProblem(app.db, token)).toContain('has already been accepted');
    expect(await app.db.$count(accounts)).toBe(2);
    const login = await app.openBrowser().post('/api/auth/login', { email: 'editor@example.com', password });
    expect(login.status).toBe(200);
  });

  test('does not let in a stranger with that email who changes the password at the same moment', async () => {
    const [email, mine] = ['editor@example.com', customerPassword];
    const stranger = await signInNew(app, email, false);
    await addOne({ userEmail: email, userRole: 'Editor' });
    const [token = ''] = await invitationsOf(email);
    const [invited, other] = [app.openBrowser(), 'another-one-of-theirs'];
    const change = { currentPassword: mine, newPassword: other };
    const { status } = await overtake(
      () => stranger.put('/api/auth/password', change),
      'insert into \\"password_changes\\"',
      () => accept(token, {}, invited),
    );
    expect(status).toBe(409);
    expect([await role(stranger), await role(invited)]).toEqual([undefined, 'Editor']);
    const logIn = async (typed: string) =>
      (await app.openBrowser().post('/api/auth/login', { email, password: typed })).status;
    expect([await logIn(mine), await logIn(other), await logIn(password)]).toEqual([401, 401, 200]);
  });

  test('ends the links of a stranger who signs up with that email at the same moment', async () => {
    const email = 'editor@example.com';
    await addOne({ userEmail: email, userRole: 'Editor' });
    const [token = ''] = await invitationsOf(email);
    const [invited, stranger] = [app.openBrowser(), app.openBrowser()];
    const { status } = await overtake(
      () => accept(token, {}, invited),
      'delete from \\"invitations\\"',
      () => stranger.post('/api/auth/register', { email, password: 'one-of-theirs' }),
    );
    expect(status).toBe(200);
    expect([await role(stranger), await role(invited)]).toEqual([undefined, 'Editor']);
    expect(await app.db.$count(accountTokens)).toBe(0);
  });

  test('says what its reader may do, and a member who gets a role is notified', async () => {
    const told = async (to: string) => {
      await app.settle();
      return app.mails.filter((mail) => mail.to === to).map(({ subject }) => subject);
    };
    const { _id: invited } = await addOne({ userEmail: 'ann@example.com', userRole: 'User' });
    expect(await told('ann@example.com')).toEqual(['You are invited to our site']);
    await change(invited, { userRole: 'Support' });
    expect((await told('ann@example.com')).at(-1)).toBe('You are invited to work on our site');
    const [first = '', second = ''] = await invitationsOf('ann@example.com');
    const refused = await accept(first);
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('ask an administrator to send you a new one'),
    ]);
    expect((await accept(second)).status).toBe(200);

    await signUp('bob@example.com');
    const { _id: known } = await addOne({ userEmail: 'bob@example.com', userRole: 'User' });
    const before = await told('bob@example.com');
    await change(known, { userRole: 'Editor' });
    expect((await told('bob@example.com')).slice(before.length)).toEqual(['You can now work on our site']);
    await change(known, { userRole: 'Support' });
    expect(await told('bob@example.com')).toHaveLength(before.length + 1);
  });

  test('is sent again to a user who has no account yet, and the link before it stops working', async () => {
    const [email, hourMs] = ['editor@example.com', 3_600_000];
    const { _id } = await addOne({ userEmail: email, userRole: 'Editor' });
    const invited = async () =>
      (await administrator.get('/api/invited-users')).json as readonly {
        readonly _id: string;
        readonly until: string | null;
      }[];
    const sendAgain = () => administrator.post(`/api/users/${_id}/invitation`);
    const [waiting, ...others] = await invited();
    expect([waiting?._id, others]).toEqual([_id, []]);
    expect(Date.parse(waiting?.until ?? '')).toBeGreaterThan(Date.now() + 6 * 24 * hourMs);
    await app.db.update(invitations).set({ expiresAt: Date.now() - hourMs });
    expect(await invited()).toEqual([{ _id, until: null }]);

    expect((await sendAgain()).status).toBe(202);
    const [first = '', second = ''] = await invitationsOf(email);
    expect((await accept(first)).status).toBe(422);
    expect((await accept(second)).status).toBe(200);
    expect(await invited()).toEqual([]);
    expect((await sendAgain()).status).toBe(409);
    const log = await app.db.select().from(auditEvents).where(eq(auditEvents.recordId, _id));
    expect(log.map(({ details }) => details)).toEqual([
      'Added a user with the role Editor',
      'Sent a user a new invitation',
    ]);
    await remove(_id);
    expect((await sendAgain()).status).toBe(404);
  });

  test('lasts seven days', async () => {
    await addOne({ userEmail: 'editor@example.com', userRole: 'Editor' });
    const [token = ''] = await invitationsOf('editor@example.com');
    const days = (count: number) => new Date(Date.now() + count * 24 * 3_600_000);
    vi.useFakeTimers({ toFake: ['Date'], now: days(6.9) });
    expect((await accept(token, { password: 'short' })).status).toBe(422);
    expect(await app.db.$count(accounts)).toBe(1);
    vi.setSystemTime(days(0.2));
    expect((await accept(token)).json).toMatchObject({
      errors: { token: expect.any(String) as string },
    });
  });

  test('ends with its record, or when the record gets another email', async () => {
    const { _id } = await addOne({ userEmail: 'editor@example.com', userRole: 'Editor' });
    await change(_id, { userEmail: 'other@example.com' });
    const [first = ''] = await invitationsOf('editor@example.com');
    const [second = ''] = await invitationsOf('other@example.com');
    expect((await accept(first)).status).toBe(422);
    await remove(_id);
    expect((await accept(second)).status).toBe(422);
  });

  test('ends when its record gets the email of somebody who has an account', async () => {
    const { _id } = await addOne({ userEmail: 'wrong@example.com', userRole: 'User' });
    const [token = ''] = await invitationsOf('wrong@example.com');
    await signUp('ann@example.com');
    await change(_id, { userEmail: 'ann@example.com' });
    // The reader of the first email must not become Ann once her account is gone.
    const isAnn = eq(accounts.email, 'ann@example.com');
    await app.db.delete(accounts).where(isAnn);
    expect((await accept(token)).status).toBe(422);
    expect(await app.db.$count(accounts, isAnn)).toBe(0);
  });

  test('is sent even if strangers have used up the limit for that address; over its own limit, it is refused with a reason', async () => {
    const email = 'editor@example.com';
    const stranger = app.openBrowser();
    await stranger.post('/api/auth/register', { email, password });
    for (let asked = 0; asked < 20; asked += 1) {
      const headers = { 'CF-Connecting-IP': `192.0.2.${asked}` };
      await app.openBrowser().post('/api/auth/reset', { email }, { headers });
      await app.settle();
    }
    for (let asked = 0; asked < 5; asked += 1) await stranger.post('/api/auth/verify/resend');
    for (let invited = 1; invited <= 10; invited += 1) {
      const { _id } = await addOne({ userEmail: email, userRole: 'Editor' });
      expect(await invitationsOf(email)).toHaveLength(invited);
      await remove(_id);
    }
    const refused = await add({ userEmail: email, userRole: 'Editor' });
    expect([refused.status, refused.headers.has('Retry-After')]).toEqual([429, true]);
    const { _id } = await addOne({ userEmail: 'other@example.com', userRole: 'Editor' });
    expect((await change(_id, { userEmail: email })).status).toBe(429);
    expect(await list()).toMatchObject([owner, { userEmail: 'other@example.com' }]);
  });

  test("that is queued outlives a stranger's account with that email, and is deleted with its record", async () => {
    const email = 'editor@example.com';
    const stranger = await signInNew(app, email, false);
    vi.spyOn(app.env.EMAIL, 'send').mockRejectedValue(new Error('The service is down.'));
    const { _id } = await addOne({ userEmail: email, userRole: 'Editor' });
    await app.settle();
    const waiting = async () =>
      (await app.db.select().from(mails).where(eq(mails.kind, 'invitation'))).map(({ recipient, tries }) => [
        recipient,
        tries,
      ]);
    expect((await stranger.delete('/api/auth/account')).status).toBe(204);
    await app.settle();
    expect(await waiting()).toEqual([[email, 1]]);
    await change(_id, { userEmail: 'other@example.com' });
    await app.settle();
    expect(await waiting()).toEqual([['other@example.com', 1]]);
    await remove(_id);
    expect(await waiting()).toEqual([]);
  });

  test('has no link for somebody with a verified email, and does not bypass their password', async () => {
    await addOne({ userEmail: 'late@example.com', userRole: 'Editor' });
    await signUp('late@example.com');
    const [token = ''] = await invitationsOf('late@example.com');
    expect((await accept(token)).status).toBe(409);
    await signUp('known@example.com');
    await addOne({ userEmail: 'known@example.com', userRole: 'Editor' });
    expect(await invitationsOf('known@example.com')).toEqual([]);
    const lastMail = () => app.mails.findLast(({ to }) => to === 'known@example.com')?.text;
    expect(lastMail()).toContain('/admin');
    await remove((await list()).at(-1)?._id ?? '');
    await addOne({ userEmail: 'known@example.com', userRole: 'User' });
    await app.settle();
    expect(lastMail()).toContain('added you to its users');
  });
});

test('A visitor sees no user, and a customer their own record once their email is verified', async () => {
  const customer = await signUp('customer@example.com');
  const unverified = await signInNew(app, 'unverified@example.com', false);
  await addOne({ userEmail: 'unverified@example.com', userRole: 'Support' });
  expect(await list(unverified)).toEqual([]);
  const visitor = app.openBrowser();
  const own = await addOne({ userEmail: 'customer@example.com', userRole: 'User' });
  const [first] = await list();
  expect(await list(visitor)).toEqual([]);
  expect(await list(customer)).toEqual([own]);
  expect((await customer.get(`/api/users/${own._id}`)).status).toBe(200);
  expect((await customer.get(`/api/users/${first?._id ?? ''}`)).status).toBe(404);
});
