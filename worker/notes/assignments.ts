/**
 * Assigns orders and messages to staff members. An assignment remains when the assignee leaves the staff. Screens then
 * show no assignee until they come back or someone else is assigned.
 */
import { and, asc, eq, inArray, isNotNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { hasAbility, userRoles, type Ability } from '#contract/audience.ts';
import type { Assigned } from '#contract/notes.calls.ts';
import type { AssignedKind } from '#contract/notes.ts';
import type { StaffMember } from '#contract/schemas.ts';
import { recordOfAccount } from '../accounts/find-account.ts';
import { accounts, users } from '../accounts/schema.ts';
import { readTogether, type Database, type Statement } from '../db/client.ts';
import { invalid } from '../http/errors.ts';
import { assignments } from './schema.ts';

const abilityFor: Readonly<Record<AssignedKind, Ability>> = { order: 'orders', message: 'messages' };

/** The condition that an account, joined to its record in the list of users, can be the assignee. */
const canTake = (kind: AssignedKind): SQL | undefined =>
  and(
    isNotNull(accounts.emailVerifiedAt),
    inArray(
      users.userRole,
      userRoles.filter((role) => hasAbility(role, abilityFor[kind])),
    ),
  );

const memberOf = ({ id, name, email }: Pick<typeof accounts.$inferSelect, 'id' | 'name' | 'email'>) => ({
  _id: id,
  name: name || email,
});

const accountColumns = { id: accounts.id, name: accounts.name, email: accounts.email };

const isOf = (kind: AssignedKind, recordId: string) =>
  and(eq(assignments.kind, kind), eq(assignments.recordId, recordId));

export const assignedTo = (db: Database, kind: AssignedKind, accountId: string): SQLWrapper =>
  db
    .select({ recordId: assignments.recordId })
    .from(assignments)
    .where(and(eq(assignments.accountId, accountId), eq(assignments.kind, kind)));

export async function readAssigned(db: Database, kind: AssignedKind, recordId: string): Promise<Assigned> {
  const [staff, [found]] = await readTogether(db, [
    db
      .select(accountColumns)
      .from(accounts)
      .innerJoin(users, recordOfAccount)
      .where(canTake(kind))
      .orderBy(asc(accounts.email)),
    db.select({ accountId: assignments.accountId }).from(assignments).where(isOf(kind, recordId)),
  ]);
  const assignee = staff.find(({ id }) => id === found?.accountId);
  return { assigneeId: assignee?.id ?? '', staff: staff.map(memberOf) };
}

/**
 * Assigns a record to an account, or removes the assignment if the id is empty.
 * @throws ApiError 422 the account cannot be the assignee
 */
export async function assignRecord(
  db: Database,
  kind: AssignedKind,
  recordId: string,
  accountId: string,
): Promise<void> {
  if (accountId === '') {
    await db.delete(assignments).where(isOf(kind, recordId));
    return;
  }
  const [found] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(users, recordOfAccount)
    .where(and(eq(accounts.id, accountId), canTake(kind)));
  if (!found) throw invalid({ assigneeId: 'This person no longer works here. Choose someone else.' });
  await db
    .insert(assignments)
    .values({ kind, recordId, accountId })
    .onConflictDoUpdate({ target: [assignments.kind, assignments.recordId], set: { accountId } });
}

/** The query for the assignees of records, leaving out people who can no longer be assigned to them. */
const assigneesQuery = (db: Database, kind: AssignedKind, condition: SQL) =>
  db
    .select({ recordId: assignments.recordId, phone: accounts.phone, ...accountColumns })
    .from(assignments)
    .innerJoin(accounts, eq(accounts.id, assignments.accountId))
    .innerJoin(users, recordOfAccount)
    .where(and(eq(assignments.kind, kind), condition, canTake(kind)));

/**
 * The query for the assignees of orders.
 * @param orderIds a query for the ids of the orders
 */
export const peopleInCharge = (db: Database, orderIds: SQL) =>
  assigneesQuery(db, 'order', sql`${assignments.recordId} IN ${orderIds}`);

export async function withAssignees<R extends { readonly _id: string }>(
  db: Database,
  kind: AssignedKind,
  records: readonly R[],
): Promise<(R & { readonly assignee?: StaffMember })[]> {
  if (records.length === 0) return [];
  const ids = records.map(({ _id }) => _id);
  const found = await assigneesQuery(db, kind, inArray(assignments.recordId, ids));
  const assignees = new Map(found.map(({ recordId, ...account }) => [recordId, memberOf(account)]));
  return records.map((record) => {
    const assignee = assignees.get(record._id);
    return assignee ? { ...record, assignee } : record;
  });
}

/** @param ids a query for their ids */
export const deleteAssignments = (db: Database, kind: AssignedKind, ids: SQLWrapper): Statement =>
  db.delete(assignments).where(and(eq(assignments.kind, kind), inArray(assignments.recordId, ids)));
