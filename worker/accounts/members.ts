/**
 * Users: the emails that have a role, and which one. The last administrator can be neither removed nor demoted,
 * because nobody could then sign in to the admin pages again.
 */
import { and, asc, eq, exists, isNotNull, ne, sql, type SQL } from 'drizzle-orm';
import { type Account, normalizeEmail } from '#contract/accounts.ts';
import type { Member, MemberChange, NewMember } from '#contract/accounts.calls.ts';
import { hasAbility, may } from '#contract/audience.ts';
import { newId } from '#contract/ids.ts';
import { auditOfRequest, auditStatement, networkOf } from '../audit/audit.ts';
import { saveSetting, settingEvent, isStill, type SettingChange } from '../audit/setting-events.ts';
import { assert } from '../db/assert.ts';
import type { Database, Statement } from '../db/client.ts';
import type { Caller, RequestDeps } from '../http/app.ts';
import { checkVersion } from '../http/conditional.ts';
import { conflict, notFound } from '../http/errors.ts';
import { movesInto } from '../http/reorder.ts';
import {
  findAccount,
  idOfEmail,
  recordOfAccount,
  recordOfEmail,
  type SignInAccount,
} from './find-account.ts';
import { endInvitations, invitationStatements } from './invitations.ts';
import { actorId } from './owner.ts';
import { firmNames, refuseGuessable, refuseShort } from './password-choice.ts';
import { accounts, firstRun, users } from './schema.ts';
import { isSetupNeeded } from './setup.ts';
import { verifiedAccountStatements } from './verified-account.ts';

type StoredMember = typeof users.$inferSelect;

/** An administrator who changes the list, and the network that they do it from. */
type MemberCaller = Caller & Pick<RequestDeps, 'clientIp'>;

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

/** A change of a record, as its history stores it. */
interface MemberEvent extends Pick<SettingChange, 'recordId' | 'version' | 'action'> {
  readonly before?: NewMember;
  readonly after?: NewMember;
}

/** What a change did, for the audit log. */
function describeChange({ before, after }: MemberEvent): string {
  if (!before) return `Added a user with the role ${after?.userRole ?? ''}`;
  if (!after) return `Removed a user with the role ${before.userRole}`;
  if (before.userRole === after.userRole) return 'Changed the email of a user';
  const role = `Changed a role from ${before.userRole} to ${after.userRole}`;
  return before.userEmail === after.userEmail ? role : `${role}, and the email`;
}

/** Who makes a change, and from which network. */
interface MemberActor {
  readonly accountId: SQL<string>;
  readonly network: string;
}

const actorOf = ({ account: { id }, ...deps }: MemberCaller): MemberActor => ({
  accountId: actorId(id),
  network: networkOf(deps),
});

/** The statements that record a change in the history of the users and in the audit log. */
function recordStatements(db: Database, actor: MemberActor, event: MemberEvent): Statement[] {
  const { before, after, ...facts } = event;
  const values = { ...(before && { before: valuesOf(before) }), ...(after && { after: valuesOf(after) }) };
  return [
    settingEvent(db, { ...facts, ...values, setting: 'member' }, actor.accountId),
    auditStatement(db, {
      ...actor,
      action: 'role',
      recordId: event.recordId,
      details: describeChange(event),
    }),
  ];
}

function added(values: NewMember) {
  const record = { _id: newId(), version: 1, ...valuesOf(values) };
  const event: MemberEvent = { recordId: record._id, version: 1, action: 'added', after: record };
  return { record, event };
}

/**
 * Adds a record and invites its owner.
 * @throws ApiError 409 if the email is already in the list
 */
export function addMember(caller: MemberCaller, values: NewMember): Promise<StoredMember> {
  const { db, env } = caller;
  const { record, event } = added(values);
  return saveSetting(db, async () => {
    await checkUnique(db, record._id, record.userEmail);
    return {
      statements: [
        db.insert(users).values({ ...record, position: lastPosition }),
        ...recordStatements(db, actorOf(caller), event),
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
  const { db, env } = deps;
  const { record, event } = added({ userEmail, userRole: 'Admin' });
  const chosen = { email: userEmail, password };
  refuseShort(password);
  refuseGuessable(env, chosen, await firmNames(db));
  const statements = await verifiedAccountStatements(db, chosen);
  const actor = { accountId: idOfEmail(userEmail), network: networkOf(deps) };
  const member = await saveSetting(db, async () => {
    if (!(await isSetupNeeded(db))) throw conflict('This site has its administrator already.');
    await checkUnique(db, record._id, userEmail);
    return {
      statements: [
        // Of two concurrent set-ups, only one can insert this row.
        db.insert(firstRun).values({ id: 1, doneAt: Date.now() }),
        ...statements,
        db.insert(users).values({ ...record, position: lastPosition }),
        ...recordStatements(db, actor, event),
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
  caller: MemberCaller,
  id: string,
  { values, ifMatch }: { readonly values: MemberChange; readonly ifMatch: string | undefined },
): Promise<StoredMember> {
  const { db, env } = caller;
  return saveSetting(db, async () => {
    const before = await findMember(db, caller.account, id);
    checkVersion(ifMatch, before, toMember(before));
    const { userEmail = before.userEmail, userRole = before.userRole } = values;
    if (userEmail === before.userEmail && userRole === before.userRole)
      return { statements: [], answer: before };
    const after = { ...before, version: before.version + 1, userEmail, userRole };
    await checkUnique(db, id, userEmail);
    const onlyIf = await checkAdministratorLeft(db, before, after);
    const isStaffNow = hasAbility(userRole, 'staff') && !hasAbility(before.userRole, 'staff');
    const event = { recordId: id, version: after.version, action: 'updated', before, after } as const;
    return {
      statements: [
        assert(db, onlyIf),
        ...recordStatements(db, actorOf(caller), event),
        db.update(users).set(after).where(eq(users._id, id)),
        ...(userEmail === before.userEmail && !isStaffNow
          ? []
          : await invitationStatements({ db, env }, after)),
      ],
      answer: after,
    };
  });
}

/**
 * Sends a user a new invitation, if they have no account with a verified email yet.
 * @throws ApiError 404, 409 they have an account, 429
 */
export function inviteAgain(caller: MemberCaller, id: string): Promise<void> {
  const { db, env, account } = caller;
  return saveSetting(db, async () => {
    const member = await findMember(db, account, id);
    const invited = await findAccount(db, { email: member.userEmail });
    if (invited?.emailVerified) throw conflict('This user already has an account and needs no invitation.');
    return {
      statements: [
        assert(db, isStill(users, member)),
        ...(await invitationStatements({ db, env }, member)),
        auditOfRequest(caller, {
          action: 'role',
          accountId: account.id,
          recordId: id,
          details: 'Sent a user a new invitation',
        }),
      ],
      answer: undefined,
    };
  });
}

/** The statements that remove a record. @throws ApiError 409 for the last administrator */
async function removal(db: Database, actor: MemberActor, before: StoredMember): Promise<Statement[]> {
  const onlyIf = await checkAdministratorLeft(db, before, undefined);
  const event = { recordId: before._id, version: before.version, action: 'removed', before } as const;
  return [
    assert(db, onlyIf),
    ...recordStatements(db, actor, event),
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
  return removal(db, { accountId: actorId(owner.id), network }, record);
}

const listedText =
  'The list of users has both your email and the new one. Ask an administrator to remove the new one from it, then open the link again.';

/**
 * The statements that give the record of a verified account its new email. There are none if the email is not in the
 * list.
 * @param network the network of the request, for the audit log
 * @throws ApiError 409 if the new email is in the list too
 */
export async function renamedRecordStatements(
  db: Database,
  owner: Pick<Account, 'id' | 'email'>,
  { userEmail, network }: { readonly userEmail: string; readonly network: string },
): Promise<Statement[]> {
  const before = await db.select().from(users).where(recordOfEmail(owner.email)).get();
  if (!before) return [];
  const other = await db.select().from(users).where(recordOfEmail(userEmail)).get();
  if (other) throw conflict(listedText, { errors: { token: listedText } });
  const after = { ...before, version: before.version + 1, userEmail };
  const actor = { accountId: actorId(owner.id), network };
  return [
    assert(db, isStill(users, before)),
    ...recordStatements(db, actor, {
      recordId: before._id,
      version: after.version,
      action: 'updated',
      before,
      after,
    }),
    ...endInvitations(db, before._id),
    db.update(users).set(after).where(eq(users._id, before._id)),
  ];
}

/** Removes a record. @throws ApiError 404, 409 for the last administrator */
export function removeMember(caller: MemberCaller, id: string): Promise<StoredMember> {
  const { db, account } = caller;
  return saveSetting(db, async () => {
    const before = await findMember(db, account, id);
    return { statements: await removal(db, actorOf(caller), before), answer: before };
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
