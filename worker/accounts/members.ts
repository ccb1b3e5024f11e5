/**
 * Users: the emails that have a role. The last administrator can be neither removed nor demoted, because no one could
 * then sign in to the admin pages.
 */
import { and, asc, eq, exists, isNotNull, ne, sql, type SQL } from 'drizzle-orm';
import { normalizeEmail } from '#contract/account-rules.ts';
import type { Account } from '#contract/accounts.ts';
import type { Member, MemberChange, NewMember } from '#contract/accounts.calls.ts';
import { hasAbility, may } from '#contract/audience.ts';
import { newId } from '#contract/ids.ts';
import { auditOfRequest } from '../audit/audit.ts';
import { saveWithRetry, hasVersion } from '../audit/setting-events.ts';
import { assert } from '../db/assert.ts';
import type { Database, Statement } from '../db/client.ts';
import type { Caller, RequestDeps } from '../http/app.ts';
import { checkVersion } from '../http/conditional.ts';
import { conflict, notFound } from '../http/errors.ts';
import { planMoves } from '../http/reorder.ts';
import { findAccount, idOfEmail, recordOfAccount, recordOfEmail } from './find-account.ts';
import { revokeInvitations, invitationStatements } from './invitations.ts';
import { actorId } from './owner.ts';
import { accounts, users } from './schema.ts';

export type StoredMember = typeof users.$inferSelect;

/** An administrator who changes the list, with their network. */
type MemberCaller = Caller & Pick<RequestDeps, 'clientIp'>;

export const toMember = ({ _id, userEmail, userRole }: StoredMember): Member => ({
  _id,
  userEmail,
  userRole,
});

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
  if (!member || !maySee(caller, member)) throw notFound('We could not find this user.');
  return member;
}

/** @throws ApiError 409 another record has this email */
export async function checkUnique(db: Database, id: string, userEmail: string): Promise<void> {
  const isTaken = and(ne(users._id, id), recordOfEmail(userEmail));
  if ((await db.select({ id: users._id }).from(users).where(isTaken).get()) === undefined) return;
  const text = 'There is already a user with this email.';
  throw conflict(text, { errors: { userEmail: text } });
}

/** The other Admin records that have a verified account. A record without an account gives no one access. */
const otherAdministrators = (db: Database, id: string) =>
  db
    .select({ id: users._id })
    .from(users)
    .innerJoin(accounts, and(recordOfAccount, isNotNull(accounts.emailVerifiedAt)))
    .where(and(eq(users.userRole, 'Admin'), ne(users._id, id)));

/**
 * The condition, for the batch, that a record may still be changed or removed.
 * @throws ApiError 409 if it is the last administrator's
 */
async function checkAdministratorLeft(
  db: Database,
  before: StoredMember,
  after: NewMember | undefined,
): Promise<SQL> {
  const stays = after?.userRole === 'Admin' && after.userEmail === before.userEmail;
  if (before.userRole !== 'Admin' || stays) return hasVersion(users, before);
  const others = otherAdministrators(db, before._id);
  if ((await others.limit(1)).length === 0)
    throw conflict(
      'This is the last administrator. Before you change or remove this one, add another administrator, who must verify their email.',
    );
  return sql`${hasVersion(users, before)} and ${exists(others)}`;
}

type RequestFacts = Pick<RequestDeps, 'db' | 'clientIp'>;

/**
 * The audit log statement for a change to a user record, with the account of its email.
 * @param by the account that makes the change
 */
export const auditChange = (
  deps: RequestFacts,
  by: SQL<string>,
  { _id, userEmail }: Pick<StoredMember, '_id' | 'userEmail'>,
  details: string,
): Statement =>
  auditOfRequest(deps, {
    action: 'role',
    accountId: by,
    recordId: _id,
    details,
    subjectId: idOfEmail(userEmail),
  });

function describeChange(before: NewMember, after: NewMember): string {
  if (before.userRole === after.userRole) return 'Changed the email of a user';
  const role = `Changed a role from ${before.userRole} to ${after.userRole}`;
  return before.userEmail === after.userEmail ? role : `${role}, and the email`;
}

export const newRecord = ({ userEmail, userRole }: NewMember) => ({
  _id: newId(),
  version: 1,
  userEmail,
  userRole,
});

/** The statement that adds a record at the end of the list. */
export const insertRecord = (db: Database, record: ReturnType<typeof newRecord>): Statement =>
  db
    .insert(users)
    .values({ ...record, position: sql`(select coalesce(max(position), -1) + 1 from ${users})` });

/**
 * Adds a record and invites its owner.
 * @throws ApiError 409 if the email is already in the list
 */
export function addMember(caller: MemberCaller, values: NewMember): Promise<StoredMember> {
  const { db } = caller;
  const record = newRecord(values);
  return saveWithRetry(db, async () => {
    await checkUnique(db, record._id, record.userEmail);
    return {
      statements: [
        insertRecord(db, record),
        auditChange(
          caller,
          actorId(caller.account.id),
          record,
          `Added a user with the role ${record.userRole}`,
        ),
        ...(await invitationStatements(caller, record)),
      ],
      answer: { ...record, position: 0 },
    };
  });
}

/**
 * Changes fields of a record; absent fields keep their value. A new email gets an invitation, and a person whose new
 * role gives access gets an email.
 * @param ifMatch the ETag of the version that was edited
 * @throws ApiError 404, 409 for the last administrator or an email that is already in the list, 412
 */
export function updateMember(
  caller: MemberCaller,
  id: string,
  { values, ifMatch }: { readonly values: MemberChange; readonly ifMatch: string | undefined },
): Promise<StoredMember> {
  const { db } = caller;
  return saveWithRetry(db, async () => {
    const before = await findMember(db, caller.account, id);
    checkVersion(ifMatch, before, toMember(before));
    const { userEmail = before.userEmail, userRole = before.userRole } = values;
    if (userEmail === before.userEmail && userRole === before.userRole)
      return { statements: [], answer: before };
    const after = { ...before, version: before.version + 1, userEmail, userRole };
    await checkUnique(db, id, userEmail);
    const onlyIf = await checkAdministratorLeft(db, before, after);
    const isStaffNow = hasAbility(userRole, 'staff') && !hasAbility(before.userRole, 'staff');
    return {
      statements: [
        assert(db, onlyIf),
        auditChange(caller, actorId(caller.account.id), before, describeChange(before, after)),
        db.update(users).set(after).where(eq(users._id, id)),
        ...(userEmail === before.userEmail && !isStaffNow ? [] : await invitationStatements(caller, after)),
      ],
      answer: after,
    };
  });
}

/**
 * Sends a user a new invitation, if they have no account with a verified email yet.
 * @throws ApiError 404, 409 they have an account, 429
 */
export function resendInvitation(caller: MemberCaller, id: string): Promise<void> {
  const { db, account } = caller;
  return saveWithRetry(db, async () => {
    const member = await findMember(db, account, id);
    const invited = await findAccount(db, { email: member.userEmail });
    if (invited?.emailVerified)
      throw conflict('This user already has an account, so no invitation is needed.');
    return {
      statements: [
        assert(db, hasVersion(users, member)),
        ...(await invitationStatements(caller, member)),
        auditChange(caller, actorId(caller.account.id), member, 'Sent a user a new invitation'),
      ],
      answer: undefined,
    };
  });
}

/** @throws ApiError 409 for the last administrator */
async function removal(deps: RequestFacts, by: string, before: StoredMember): Promise<Statement[]> {
  const { db } = deps;
  const onlyIf = await checkAdministratorLeft(db, before, undefined);
  return [
    assert(db, onlyIf),
    auditChange(deps, actorId(by), before, `Removed a user with the role ${before.userRole}`),
    ...revokeInvitations(db, before._id),
    db.delete(users).where(eq(users._id, before._id)),
  ];
}

/**
 * The statements that remove the record of an account that is being deleted. There are none if its verified email
 * is not in the list.
 * @throws ApiError 409 for the last administrator
 */
export async function ownRecordStatements(
  deps: RequestFacts,
  owner: Pick<Account, 'id' | 'email' | 'emailVerified'>,
): Promise<Statement[]> {
  if (!owner.emailVerified) return [];
  const record = await deps.db.select().from(users).where(recordOfEmail(owner.email)).get();
  return record ? removal(deps, owner.id, record) : [];
}

const listedText =
  'The list of users has both your email and the new one. Ask an administrator to remove the new one from it, then open the link again.';

/**
 * The statements that give the record of a verified account its new email. There are none if the email is not in the
 * list.
 * @throws ApiError 409 if the new email is in the list too
 */
export async function renamedRecordStatements(
  deps: RequestFacts,
  owner: Pick<Account, 'id' | 'email'>,
  userEmail: string,
): Promise<Statement[]> {
  const { db } = deps;
  const before = await db.select().from(users).where(recordOfEmail(owner.email)).get();
  if (!before) return [];
  const other = await db.select().from(users).where(recordOfEmail(userEmail)).get();
  if (other) throw conflict(listedText, { errors: { token: listedText } });
  const after = { ...before, version: before.version + 1, userEmail };
  return [
    assert(db, hasVersion(users, before)),
    auditChange(deps, actorId(owner.id), before, describeChange(before, after)),
    ...revokeInvitations(db, before._id),
    db.update(users).set(after).where(eq(users._id, before._id)),
  ];
}

/** Removes a record. @throws ApiError 404, 409 for the last administrator */
export function removeMember(caller: MemberCaller, id: string): Promise<StoredMember> {
  const { db, account } = caller;
  return saveWithRetry(db, async () => {
    const before = await findMember(db, account, id);
    return { statements: await removal(caller, account.id, before), answer: before };
  });
}

/**
 * Puts the records in the order of the given ids, which must be exactly those of the list.
 * @throws ApiError 422
 */
export async function reorderMembers(db: Database, ids: readonly string[]): Promise<void> {
  await saveWithRetry(db, async () => {
    const moves = planMoves(await readAll(db), ids);
    const statements = moves.map(({ record: { _id }, position }) =>
      db.update(users).set({ position }).where(eq(users._id, _id)),
    );
    return { statements, answer: undefined };
  });
}
