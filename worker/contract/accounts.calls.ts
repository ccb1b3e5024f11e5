import * as z from 'zod';
import { roleMissing, userRoles } from './audience.ts';
import { email, newAccount, newEmail, password } from './accounts.ts';
import { passwordLength, passwordTexts } from './password-rules.ts';
import type { CallTable, Output } from './call.ts';
import { withoutHidden } from './field-problems.ts';
import { conversationMessage, orderFile } from './conversations.calls.ts';
import { draft } from './drafts.calls.ts';
import { message, messageReply } from './inbox.calls.ts';
import { subscriberStates } from './inbox.ts';
import { next, sessionAnswer, token } from './account-schemas.ts';
import { assertion, newCredential, passkey, requestOptions } from './passkeys.calls.ts';
import { id, inOneLine, moment, reordering, setupToken } from './schemas.ts';
import { webAddressOf, webAddressText, withScheme } from './plans.ts';
import { order, orderEvent } from './orders.calls.ts';
import { refund } from './refunds.calls.ts';
import { subscription } from './subscriptions.calls.ts';
import { planStep } from './plans.calls.ts';

const webAddress = z
  .string()
  .overwrite(withoutHidden)
  .trim()
  .overwrite(withScheme)
  .max(300, 'Maximum 300 Characters')
  .refine((text) => text === '' || webAddressOf(text) !== undefined, webAddressText);
const profileLine = z.string().overwrite(inOneLine).trim().max(200, 'Maximum 200 Characters');

/** Each field may be empty. */
const profile = z.strictObject({
  name: profileLine,
  company: profileLine,
  phone: profileLine,
  website: webAddress,
});
export type Profile = Output<typeof profile>;

/** One of the caller's sessions. Times are in ms. */
const sessionEntry = z.strictObject({
  _id: id,
  /** For example, 'Firefox on Windows'. */
  device: z.string(),
  /** The city and country of the network where the session started, if known. */
  place: z.string(),
  createdAt: z.int(),
  lastUsedAt: z.int(),
  isCurrent: z.boolean(),
});
export type SessionEntry = Output<typeof sessionEntry>;

/** A role takes effect when the account with that email is verified. */
const userRole = z.enum(userRoles, { error: roleMissing });

/** A record in the list of users. */
const member = z.strictObject({ _id: id, userEmail: z.string(), userRole });
export type Member = Output<typeof member>;
export const newMember = z.strictObject({ userEmail: newEmail, userRole: userRole.default('Admin') });
export type NewMember = Output<typeof newMember>;
/** A user who has no account with a verified email yet. */
const invitedMember = z.strictObject({
  _id: id,
  /** When the link in the last invitation expires; null if no link is valid anymore. */
  until: moment.nullable(),
});
export type InvitedMember = Output<typeof invitedMember>;
export const memberChange = z.strictObject({ userEmail: newEmail.optional(), userRole: userRole.optional() });
export type MemberChange = Output<typeof memberChange>;
/** As long as the site has no administrator, anyone with the setup token can create the first one, with a password. */
const newMemberOrFirst = newMember.extend({
  setupToken: setupToken.optional(),
  password: z.string().max(passwordLength.max, passwordTexts.long).optional(),
});

/** A password to compare with the stored one, so the minimum length for new passwords does not apply. */
const typedPassword = z
  .string({ error: passwordTexts.required })
  .min(1, passwordTexts.required)
  .max(passwordLength.max, passwordTexts.long);
/** Like `typedPassword`, but a signed-in caller may omit it. A plain form then sends an empty one. */
const optionalTypedPassword = z.string().max(passwordLength.max, passwordTexts.long).optional();
const at = moment.nullable();

const exportedFile = orderFile.omit({ _id: true }).extend({ address: z.string() });

export const accountCalls = {
  'POST /auth/register': {
    about: 'Creates an account and signs it in.',
    who: 'anyone',
    accepts: 'form',
    body: newAccount.extend({ next }),
    answer: sessionAnswer,
    status: 201,
    problems: [409, 429],
  },
  'POST /auth/login': {
    about: 'Signs the caller in.',
    who: 'anyone',
    accepts: 'form',
    body: z.strictObject({ email, password, next }),
    answer: sessionAnswer,
    problems: [401, 429],
  },
  'POST /auth/logout': { about: 'Signs the caller out.', who: 'anyone', accepts: 'form' },
  'GET /auth/session': {
    about: 'Returns the signed-in account, or null.',
    who: 'anyone',
    answer: sessionAnswer,
  },
  'POST /auth/verify': {
    about:
      "Verifies an email with the emailed link and the account's password. A caller who is signed in to the account may omit the password or send an empty one.",
    who: 'anyone',
    accepts: 'form',
    body: z.strictObject({ token, password: optionalTypedPassword, next }),
    answer: sessionAnswer,
    problems: [409, 429],
  },
  'POST /auth/verify/resend': {
    about: 'Sends the verification link again.',
    who: 'account',
    status: 202,
    problems: [409, 429],
  },
  'POST /auth/reset': {
    about: 'Sends a link to set a new password. The response is the same for every address.',
    who: 'anyone',
    accepts: 'form',
    body: z.strictObject({ email, next }),
    status: 202,
    problems: [429],
  },
  'POST /auth/reset/confirm': {
    about: 'Sets a new password with the emailed link, and ends every session.',
    who: 'anyone',
    accepts: 'form',
    body: z.strictObject({ token, password, next }),
    problems: [409, 429],
  },
  'POST /auth/invitation': {
    about:
      'Accepts an invitation with its emailed link. Creates a verified account with a password or a passkey.',
    who: 'anyone',
    accepts: 'form',
    body: z.strictObject({ token, password: password.optional(), credential: newCredential.optional() }),
    answer: sessionAnswer,
    problems: [409, 429],
  },
  'PUT /auth/password': {
    about: 'Changes the password, and ends every other session.',
    who: 'account',
    body: z.strictObject({ currentPassword: typedPassword, newPassword: password }),
    problems: [409, 429],
  },
  'GET /auth/confirm': {
    about: 'Lists how the caller can confirm their identity.',
    who: 'account',
    answer: z.strictObject({
      password: z.boolean(),
      google: z.boolean(),
      /** The options for a device to use one of the account's passkeys; null if it has none. */
      passkey: requestOptions.nullable(),
      isConfirmed: z.boolean(),
    }),
    problems: [409],
  },
  'POST /auth/confirm': {
    about: "Confirms the caller's identity with the password or a passkey, for ten minutes.",
    who: 'account',
    body: z.strictObject({ password: typedPassword.optional(), assertion: assertion.optional() }),
    problems: [409, 429],
  },
  'GET /auth/profile': { about: "Returns the caller's own profile.", who: 'account', answer: profile },
  'PUT /auth/profile': {
    about: "Changes the caller's own profile. An absent field keeps its value.",
    who: 'account',
    body: profile.partial(),
    answer: profile,
  },
  'GET /auth/email': {
    about: 'Returns the new email that the caller asked for and has not confirmed yet, or null.',
    who: 'account',
    answer: z.strictObject({ requested: z.string().nullable() }),
  },
  'PUT /auth/email': {
    about: 'Asks for a new email. Sends a link to the new email and a notice to the old one.',
    who: 'account',
    confirmed: true,
    body: z.strictObject({ email: newEmail }),
    status: 202,
    problems: [429],
  },
  'DELETE /auth/sessions/:id': { about: "Ends one of the caller's own sessions.", who: 'account' },
  'GET /auth/sessions': {
    about: "Lists the caller's own sessions.",
    who: 'account',
    answer: z.array(sessionEntry),
  },
  'DELETE /auth/sessions': { about: 'Signs the caller out everywhere.', who: 'account' },
  'GET /auth/google/link': {
    about: "Says whether the caller's account signs in with Google.",
    who: 'account',
    answer: z.strictObject({ isLinked: z.boolean() }),
  },
  'DELETE /auth/google/link': {
    about: 'Removes the sign-in with Google from an account that has a password.',
    who: 'account',
    confirmed: true,
    problems: [409],
  },
  'GET /auth/google': {
    about: 'Redirects to Google to sign in.',
    who: 'anyone',
    answer: 'page',
    problems: [404],
  },
  'GET /auth/google/callback': {
    about: 'Completes a sign-in with Google.',
    who: 'anyone',
    answer: 'page',
    problems: [404],
  },
  'GET /auth/account': {
    about: 'Returns everything that is stored about the caller.',
    who: 'account',
    audited: 'export',
    confirmed: true,
    answer: z.strictObject({
      account: z.strictObject({
        email: z.string(),
        profile,
        createdAt: at,
        emailVerifiedAt: at,
        role: z.enum(userRoles),
        signsInWithGoogle: z.boolean(),
        passwordChanges: z.array(z.strictObject({ changedAt: at, reason: z.string() })),
      }),
      sessions: z.array(
        z.strictObject({ device: z.string(), place: z.string(), createdAt: at, lastUsedAt: at }),
      ),
      passkeys: z.array(passkey.omit({ _id: true, credentialId: true })),
      recoveryCodesLeft: z.int(),
      /** How to ask for the staff's notes, which the export leaves out. */
      staffNotes: z.string().optional(),
      orders: z.array(order).optional(),
      timelines: z.array(z.strictObject({ orderId: id, events: z.array(orderEvent) })).optional(),
      payments: z
        .array(
          z.strictObject({
            orderId: id,
            at: moment,
            amount: z.string(),
            paidWith: z.string(),
            transactionId: z.string(),
            /** The email on the receipt if it is no longer the account's email; otherwise empty. */
            receiptEmail: z.string(),
          }),
        )
        .optional(),
      subscriptions: z.array(subscription).optional(),
      refunds: z.array(refund.extend({ orderId: id })).optional(),
      planSteps: z.array(planStep.extend({ orderId: id })).optional(),
      briefs: z
        .array(
          z.strictObject({
            orderId: id,
            sentAt: moment.nullable(),
            answers: z.array(z.strictObject({ question: z.string(), answer: z.string() })),
          }),
        )
        .optional(),
      messages: z
        .array(
          message
            .pick({ name: true, number: true, subject: true, message: true, receivedAt: true, source: true })
            .extend({
              /** Oldest first. */
              replies: z.array(
                messageReply
                  .omit({ _id: true, by: true })
                  .extend({ files: z.array(exportedFile.omit({ address: true })) }),
              ),
            }),
        )
        .optional(),
      /** The state of the newsletter subscription; null if there is none. */
      subscription: z.enum(subscriberStates).nullable().optional(),
      /** Unsaved text from content forms. */
      drafts: z.array(draft).optional(),
      /** The messages on orders from both sides, oldest first. */
      conversations: z
        .array(
          conversationMessage
            .pick({ side: true, kind: true, text: true, quoted: true, at: true })
            .extend({ orderId: id, files: z.array(exportedFile) }),
        )
        .optional(),
      /** Files that the account uploaded for an order and has not sent with a message. */
      unsentFiles: z.array(exportedFile.extend({ orderId: id })).optional(),
    }),
  },
  'DELETE /auth/account': {
    about: 'Deletes the account.',
    who: 'account',
    audited: 'deletion',
    confirmed: true,
    problems: [409],
  },
  'GET /users': {
    about:
      'Lists every user in display order for an administrator. Anyone else gets their own record if their email is verified.',
    who: 'anyone',
    answer: z.array(member),
  },
  'POST /add-user': {
    about:
      'Adds a user. While there is no administrator, anyone with the setup token can create the first one.',
    who: 'anyone',
    confirmed: true,
    body: newMemberOrFirst,
    answer: member,
    status: 201,
    problems: [401, 409, 429],
  },
  'GET /users/:id': {
    about:
      'Returns one user. An administrator can read every user, a caller with a verified email only their own record.',
    who: 'account',
    answer: member,
  },
  'PUT /upadete-users/:id': {
    about: 'Changes a user. An absent field keeps its value. The last administrator cannot lose that role.',
    who: 'administrator',
    confirmed: true,
    body: memberChange,
    answer: member,
    problems: [409, 412, 429],
    headers: ['If-Match'],
  },
  'DELETE /users/:id': {
    about: 'Removes a user. The last administrator cannot be removed.',
    who: 'administrator',
    confirmed: true,
    answer: member,
    problems: [409],
  },
  'GET /invited-users': {
    about: 'Lists the users who have no account with a verified email yet.',
    who: 'administrator',
    answer: z.array(invitedMember),
  },
  'POST /users/:id/invitation': {
    about: 'Sends a user who has no account yet a new invitation. The link in the last one stops working.',
    who: 'administrator',
    status: 202,
    problems: [409, 429],
  },
  'PUT /users': {
    about: 'Changes the order of the users.',
    who: 'administrator',
    body: reordering,
    answer: z.array(member),
  },
  'GET /setup': {
    about: 'Says whether the site has no administrator yet.',
    who: 'anyone',
    answer: z.strictObject({ needed: z.boolean() }),
  },
} as const satisfies CallTable;
