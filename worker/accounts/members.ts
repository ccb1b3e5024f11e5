/**
 * Users: the emails that have a role, and which one. The last administrator can be neither removed nor demoted,
 * because nobody could then sign in to the admin pages again.
 */
import { and, asc, eq, exists, isNotNull, ne, sql, type SQL } from 'drizzle-orm';
import { type Account, normalizeEmail } from '#contract/accounts.ts';
import type { Member, MemberChange, NewMember } from '#contract/accounts.calls.ts';
import { hasAbility, may } from '#contract/audience.ts';
import { newId } from '#contract/ids.ts';
import { auditStatement } from '../audit/audit.ts';
import { saveSetting, settingEvent, isStill, type SettingChange } from '../audit/setting-events.ts';
import { assert } from '../db/assert.ts';
import type { Database, Statement } from '../db/client.ts';
import type { Caller, RequestDeps } from '../http/app.ts';
import { checkVersion } from '../http/conditional.ts';
import { conflict, notFound } from '../http/errors.ts';
import { movesInto } from '../http/reorder.ts';
import { findAccount, recordOfAccount, recordOfEmail, type SignInAccount } from './find-account.ts';
import { endInvitations, invitationStatements } from './invitations.ts';
import { actorId } from './owner.ts';
import { accounts, users } from './schema.ts';
import { firstAdministrator, isSetupNeeded } from './setup.ts';

type StoredMember = typeof users.$inferSelect;

export const toMember = ({ _id, userEmail, userRole }: StoredMember): Member => ({
  _id,
  userEmail,
  userRole,
});

const valuesOf = ({ userEmail, userRole }: NewMember) => ({ userEmail, userRole });

const readAll = (db: Database) => db.select().from(users).orderBy(asc(users.position), asc(users._id));

const maySee = (caller: Account | undefined, member: StoredMember): boolean =>
  may(caller, 'administrator') ||
  (caller?.emailVerified === true && normalizeEmail(member.userEmail) === caller.email);

/**
 * The records that the caller may see: all for an administrator, their own for a verified account, none for a visitor.
 */
export async function listMembers(db: Database, caller: Account | undefined): Promise<Member[]> {
  if (!caller) return [];
  return (await readAll(db)).filter((member) => maySee(caller, member)).map(toMember);
}

/** @throws ApiError 404 */
export async function findMember(db: Database, caller: Account, id: string): Promise<StoredMember> {
  const member = await db.select().from(users).where(eq(users._id, id)).get();
  if (!member || !maySee(caller, member)) throw notFound('There is no such user.');
  return member;
}

async function checkUnique(db: Database, id: string, userEmail: string): Promise<void> {
  const isTaken = and(ne(users._id, id), recordOfEmail(userEmail));
  if ((await db.select({ id: users._id }).from(users).where(isTaken).get()) === undefined) return;
  const text = 'There is already one with this email.';
  throw conflict(text, { errors: { userEmail: text } });
}

/** The other Admin records that have a verified account. A record without one gives nobody access. */
const otherAdministrators = (db: Database, id: string) =>
  db
    .select({ id: users._id })
    .from(users)
    .innerJoin(accounts, and(recordOfAccount, isNotNull(accounts.emailVerifiedAt)))
    .where(and(eq(users.userRole, 'Admin'), ne(users._id, id)));

/**
 * The condition that a record may still be changed or removed when the batch is written.
 * @throws ApiError 409 if it is the last administrator's
 */
async function checkAdministratorLeft(
  db: Database,
  before: StoredMember,
  after: NewMember | undefined,
): Promise<SQL> {
  const stays = after?.userRole === 'Admin' && after.userEmail === before.userEmail;
  if (before.userRole !== 'Admin' || stays) return isStill(users, before);
  const others = otherAdministrators(db, before._id);
  if ((await others.limit(1)).length === 0)
    throw conflict(
      'This is the last administrator. Add another one, who verifies their email, before you change or remove this one.',
    );
  return sql`${isStill(users, before)} and ${exists(others)}`;
}

/** After all existing records. */
const lastPosition = sql<number>`(select coalesce(max(position), -1) + 1 from ${users})`;

function added(values: NewMember) {
  const record = { _id: newId(), version: 1, ...valuesOf(values) };
  const event: SettingChange = {
    setting: 'member',
    recordId: record._id,
    version: 1,
    action: 'added',
    after: valuesOf(values),
  };
  return { record, event };
}

/**
 * Adds a record and invites its owner.
 * @throws ApiError 409 if the email is already in the list
 */
export function addMember({ db, env, account: caller }: Caller, values: NewMember): Promise<StoredMember> {
  const { record, event } = added(values);
  return saveSetting(db, async () => {
    await checkUnique(db, record._id, record.userEmail);
    return {
      statements: [
        db.insert(users).values({ ...record, position: lastPosition }),
        settingEvent(db, event, actorId(caller.id)),
        ...(await invitationStatements({ db, env }, record)),
      ],
      answer: { ...record, position: 0 },
    };
  });
}

interface FirstAdministrator {
  readonly member: StoredMember;
  readonly account: SignInAccount;
}

/**
 * Creates the first administrator, with an account.
 * @throws ApiError 409 if there is an administrator already, 422 if the password is short or easily guessed
 */
export async function addFirstAdministrator(
  deps: RequestDeps,
  { userEmail, password = '' }: { readonly userEmail: string; readonly password?: string | undefined },
): Promise<FirstAdministrator> {
  const { db } = deps;
  const { record, event } = added({ userEmail, userRole: 'Admin' });
  const statements = await firstAdministrator(deps, { email: userEmail, password });
  const by = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.email, normalizeEmail(userEmail)));
  const member = await saveSetting(db, async () => {
    if (!(await isSetupNeeded(db))) throw conflict('This site has its administrator already.');
    await checkUnique(db, record._id, userEmail);
    return {
      statements: [
        ...statements,
        db.insert(users).values({ ...record, position: lastPosition }),
        settingEvent(db, event, sql`(${by})`),
      ],
      answer: { ...record, position: 0 },
    };
  });
  const account = await findAccount(db, { email: userEmail });
  if (!account) throw conflict('The new account was deleted meanwhile.');
  return { member, account };
}

/**
 * Changes fields of a record; absent fields keep their value. A new email gets an invitation, and a person whose
 * role now gives access gets a mail.
 * @param ifMatch the ETag of the version that was edited
 * @throws ApiError 404, 409 for the last administrator or an email that is already in the list, 412
 */
export function updateMember(
  { db, env, account: caller }: Caller,
  id: string,
  { values, ifMatch }: { readonly values: MemberChange; readonly ifMatch: string | undefined },
): Promise<StoredMember> {
  return saveSetting(db, async () => {
    const before = await findMember(db, caller, id);
    checkVersion(ifMatch, before, toMember(before));
    const { userEmail = before.userEmail, userRole = before.userRole } = values;
    if (userEmail === before.userEmail && userRole === before.userRole)
      return { statements: [], answer: before };
    const after = { ...before, version: before.version + 1, userEmail, userRole };
    await checkUnique(db, id, userEmail);
    const onlyIf = await checkAdministratorLeft(db, before, after);
    const isStaffNow = hasAbility(userRole, 'staff') && !hasAbility(before.userRole, 'staff');
    const event: SettingChange = {
      setting: 'member',
      recordId: id,
      version: after.version,
      action: 'updated',
      before: valuesOf(before),
      after: valuesOf(after),
    };
    return {
      statements: [
        assert(db, onlyIf),
        settingEvent(db, event, actorId(caller.id)),
        db.update(users).set(after).where(eq(users._id, id)),
        ...(userEmail === before.userEmail && !isStaffNow
          ? []
          : await invitationStatements({ db, env }, after)),
      ],
      answer: after,
    };
  });
}

/** The statements that remove a record. @throws ApiError 409 for the last administrator */
async function removal(
  db: Database,
  caller: Pick<Account, 'id'>,
  before: StoredMember,
): Promise<Statement[]> {
  const onlyIf = await checkAdministratorLeft(db, before, undefined);
  const event: SettingChange = {
    setting: 'member',
    recordId: before._id,
    version: before.version,
    action: 'removed',
    before: valuesOf(before),
  };
  return [
    assert(db, onlyIf),
    settingEvent(db, event, actorId(caller.id)),
    ...endInvitations(db, before._id),
    db.delete(users).where(eq(users._id, before._id)),
  ];
}

/**
 * The statements that remove the record of an account that is being deleted. There are none if its verified email
 * is not in the list.
 * @param network the network of the request, for the audit log
 * @throws ApiError 409 for the last administrator
 */
export async function ownRecordStatements(
  db: Database,
  owner: Pick<Account, 'id' | 'email' | 'emailVerified'>,
  network: string,
): Promise<Statement[]> {
  if (!owner.emailVerified) return [];
  const record = await db.select().from(users).where(recordOfEmail(owner.email)).get();
  if (!record) return [];
  return [
    ...(await removal(db, owner, record)),
    auditStatement(db, { action: 'role', accountId: owner.id, recordId: record._id, network }),
  ];
}

/** Removes a record. @throws ApiError 404, 409 for the last administrator */
export function removeMember(db: Database, caller: Account, id: string): Promise<StoredMember> {
  return saveSetting(db, async () => {
    const before = await findMember(db, caller, id);
    return { statements: await removal(db, caller, before), answer: before };
  });
}

/**
 * Reorders the records by the given ids, which must be exactly those of the list.
 * @throws ApiError 422
 */
export async function reorderMembers(db: Database, caller: Account, ids: readonly string[]): Promise<void> {
  await saveSetting(db, async () => {
    const moves = movesInto(await readAll(db), ids);
    const statements = moves.flatMap(({ record: { _id, version, position: before }, position }) => [
      db.update(users).set({ position }).where(eq(users._id, _id)),
      settingEvent(
        db,
        {
          setting: 'member',
          recordId: _id,
          version,
          action: 'reordered',
          before: { position: String(before) },
          after: { position: String(position) },
        },
        actorId(caller.id),
      ),
    ]);
    return { statements, answer: undefined };
  });
}
