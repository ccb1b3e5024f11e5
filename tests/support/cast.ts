/** A signed-in person of each role. */
import type { Role as UserRole } from '#contract/audience.ts';
import { customerPassword } from './accounts.ts';
import { mailsTo } from './mailbox.ts';
import { Visitor, newEmail, registerCustomer, signInAdministrator, signUp, type Member } from './visitor.ts';

export type { Member };

/**
 * Waits for an email to an address that links to a page.
 * @returns the secret of the newest link
 */
export async function mailedToken(url: string, email: string, page = ''): Promise<string> {
  const [mail] = await mailsTo(url, email, ({ text }) => text.includes(`${page}?token=`));
  return /\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
}

/** The secret of a new account's verification link. */
export const newVerificationToken = async (url: string): Promise<string> =>
  mailedToken(url, (await signUp(url)).email, '/verify-email');

/** A signed-in customer whose email is verified. */
export const registerVerified = (url: string, name = 'customer'): Promise<Member> =>
  registerCustomer(url, newEmail(name), customerPassword, true);

type StaffRole = Exclude<UserRole, 'User'>;

/** The person of each role. A role without a person does not compile. */
const people = {
  Admin: 'an administrator',
  Editor: 'an editor',
  Support: 'a support agent',
} as const satisfies Readonly<Record<StaffRole, string>>;

/** Registers a person to whom an administrator gives a role. */
export async function registerWithRole(
  url: string,
  appointedBy: Visitor,
  userRole: StaffRole,
): Promise<Member & { readonly recordId: string }> {
  const member = await registerVerified(url, userRole.toLowerCase());
  const answer = await appointedBy.post('/api/add-user', { userEmail: member.email, userRole });
  if (answer.status !== 201) throw new Error(`Appointing answered ${String(answer.status)}: ${answer.text}`);
  return Object.assign(member, { recordId: (answer.json as { readonly _id: string })._id });
}

export const registerAdministrator = (url: string, appointedBy: Visitor) =>
  registerWithRole(url, appointedBy, 'Admin');

export const roles = [
  'an anonymous visitor',
  'an unverified customer',
  'customer A',
  'customer B',
  ...Object.values(people),
  'a demoted administrator',
] as const;
export type Role = (typeof roles)[number];

/** The role of a person on the staff; undefined for anyone else. */
export const staffRoleOf = (person: Role): StaffRole | undefined =>
  (Object.keys(people) as StaffRole[]).find((role) => people[role] === person);

/** Opens a visitor of each role. The unverified customer has an Admin record, which must not count. */
export async function openCast(url: string): Promise<Record<Role, Visitor>> {
  const owner = await signInAdministrator(url);
  const unverified = await registerCustomer(url, newEmail('unverified'));
  await owner.post('/api/add-user', { userEmail: unverified.email, userRole: 'Admin' });
  const demoted = await registerAdministrator(url, owner);
  const answer = await owner.put(`/api/upadete-users/${demoted.recordId}`, { userRole: 'User' });
  if (answer.status !== 200) throw new Error(`Demoting answered ${String(answer.status)}: ${answer.text}`);
  return {
    'an anonymous visitor': new Visitor(url),
    'an unverified customer': unverified,
    'customer A': await registerVerified(url),
    'customer B': await registerVerified(url),
    'an administrator': owner,
    'an editor': await registerWithRole(url, owner, 'Editor'),
    'a support agent': await registerWithRole(url, owner, 'Support'),
    'a demoted administrator': demoted,
  };
}
