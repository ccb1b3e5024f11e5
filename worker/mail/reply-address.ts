/**
 * The address for answers to our emails. It contains the conversation's id and is signed for one recipient, so we
 * accept an answer only from that person's own address. The local part is one word of lowercase letters and digits,
 * because some mail servers change the case, and has at most 64 characters (RFC 5321, section 4.5.3.1.1).
 */
import { normalizeEmail } from '#contract/account-rules.ts';
import { toHex } from '#contract/ids.ts';
import type { Env } from '../env.ts';
import { isSignatureOf, signatureOf } from '../http/signatures.ts';

/** What an email is about: an order, or a message from the contact form. */
export interface Conversation {
  readonly kind: 'order' | 'message';
  /** `_id` of the order or message. */
  readonly id: string;
}

const letters = { order: 'o', message: 'm' } as const;

/** 80 bits in hex, so guessing a signature takes about 2^80 emails. */
const signatureLength = 20;
const asHex = (signature: Uint8Array): string => toHex(signature).slice(0, signatureLength);

const signedText = ({ kind, id }: Conversation, email: string): string =>
  `reply\n${kind}\n${id}\n${normalizeEmail(email)}`;

/**
 * The address for answers to an email about a conversation.
 * @returns undefined if the site receives no mail
 */
export function replyAddress(
  env: Pick<Env, 'REPLY_ADDRESS' | 'SEALING_KEYS'>,
  { email, ...about }: Conversation & { readonly email: string },
): string | undefined {
  const [name, domain] = env.REPLY_ADDRESS?.split('@') ?? [];
  if (name === undefined || domain === undefined) return undefined;
  const token =
    letters[about.kind] + about.id.replaceAll('-', '') + signatureOf(env, signedText(about, email), asHex);
  return `${name}+${token}@${domain}`;
}

const tokenPattern = new RegExp(
  `\\+(?<letter>[om])(?<id>[0-9a-f]{32})(?<signature>[0-9a-f]{${signatureLength}})@`,
  'i',
);

/**
 * The conversation that an answer belongs to.
 * @param to the address that the email was sent to
 * @param from the sender of the email
 * @returns undefined if the address is not one of our reply addresses, or was created for someone else
 */
export function readReplyAddress(
  env: Pick<Env, 'SEALING_KEYS'>,
  to: string,
  from: string,
): Conversation | undefined {
  const { letter, id: digits = '', signature = '' } = tokenPattern.exec(to)?.groups ?? {};
  if (letter === undefined) return undefined;
  const kind = letter.toLowerCase() === letters.order ? 'order' : 'message';
  const id = digits.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const about: Conversation = { kind, id };
  const isSigned = isSignatureOf(env, signedText(about, from), signature.toLowerCase(), asHex);
  return isSigned ? about : undefined;
}
