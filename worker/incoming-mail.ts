/**
 * Receives mail (Cloudflare Email Routing). An answer to our mail is added to the conversation that its address
 * identifies. An email is either stored, or refused so that its sender gets it back with the reason. On a temporary
 * failure the handler throws, and the sender's mail server tries again.
 * https://developers.cloudflare.com/email-service/api/route-emails/email-handler/
 */
import { maxMessageFiles, maxMessageLength } from '#contract/conversations.ts';
import { maxReplyLength } from '#contract/inbox.ts';
import { findAccount } from './accounts/find-account.ts';
import { openDatabase, type Database } from './db/client.ts';
import type { Env } from './env.ts';
import { receiveFile } from './fulfillment/files.ts';
import { writeMessage } from './fulfillment/messages.ts';
import type { Caller } from './http/app.ts';
import { ApiError } from './http/errors.ts';
import { createLog, describeError } from './http/log.ts';
import { hashSecret } from './http/secrets.ts';
import { storeMailedReply } from './inbox/replies.ts';
import { countAttempt } from './limits/rate-limits.ts';
import { deliverQueued } from './mail/outbox.ts';
import { isAutomatic, maxMailBytes, readMail, senderIn, type IncomingMail } from './mail/read-mail.ts';
import { readReplyAddress, type Conversation } from './mail/reply-address.ts';
import { lookUpOrder } from './orders/read.ts';

/** The part of Cloudflare's `ForwardableEmailMessage` that we use. */
export type MailDelivery = Pick<
  ForwardableEmailMessage,
  'from' | 'to' | 'headers' | 'raw' | 'rawSize' | 'setReject'
>;

/** An email that we do not accept. The reason is a sentence for its sender. */
class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

const unknownText =
  'This address only accepts replies to our emails, sent from the address that we wrote to. Please reply from that address, or write to us through the contact form on our site.';

const isTemporary = ({ status }: ApiError): boolean => status === 429 || status >= 500;

interface Deps {
  readonly db: Database;
  readonly env: Env;
}

/** Adds an email to the conversation of an order, as a message of its customer. */
async function postToOrder({ db, env }: Deps, orderId: string, mail: IncomingMail): Promise<void> {
  const order = await lookUpOrder(db, orderId);
  const account = order && (await findAccount(db, { id: order.accountId }));
  // The address of the account may have changed since we wrote.
  if (!account?.emailVerified || account.email !== mail.from) throw new MailRefused(unknownText);
  const caller: Caller = {
    db,
    env,
    account: { ...account, sessionId: '', confirmedAt: 0, authMethod: 'nothing' },
  };
  const files: string[] = [];
  for (const [index, { name, bytes }] of mail.files.entries()) {
    const upload = new Request(env.SITE_URL, {
      method: 'POST',
      body: bytes,
      headers: { 'Content-Length': String(bytes.byteLength) },
    });
    const idempotencyKey = `${mail.key.slice(0, 60)}-${index}`;
    files.push((await receiveFile(caller, orderId, { name, idempotencyKey }, upload))._id);
  }
  const { text, quoted, key } = mail;
  await writeMessage(caller, orderId, { kind: 'message', text, files }, key, quoted);
}

async function postToMessage(deps: Deps, messageId: string, mail: IncomingMail): Promise<void> {
  await countAttempt(deps, 'inboxAddress', mail.from);
  const { from: email, text, quoted, files, key: idempotencyKey } = mail;
  if (!(await storeMailedReply(deps, { messageId, email, text, quoted, files, idempotencyKey })))
    throw new MailRefused(unknownText);
}

function checkSize({ text, files }: IncomingMail, maxCharacters: number): void {
  if (text === '' && files.length === 0) throw new MailRefused('Your email is empty.');
  if (text.length > maxCharacters)
    throw new MailRefused(
      `Your email is too long: at most ${maxCharacters.toLocaleString('en-US')} characters, without what it quotes.`,
    );
  if (files.length > maxMessageFiles)
    throw new MailRefused(`Your email has too many attachments: at most ${maxMessageFiles}.`);
}

const bytesOf = async (raw: ReadableStream<Uint8Array>) =>
  new Uint8Array(await new Response(raw).arrayBuffer());

/** @throws MailRefused if the address is not one of ours, or was created for another sender */
function conversationAt({ env }: Deps, to: string, sender: string): Conversation {
  const about = readReplyAddress(env, to, sender);
  if (!about) throw new MailRefused(unknownText);
  return about;
}

/** @throws MailRefused, or the ApiError that the same text would cause on the site */
async function storeAnswer(deps: Deps, { from, to, headers, raw, rawSize }: MailDelivery): Promise<void> {
  if (rawSize > maxMailBytes)
    throw new MailRefused(
      'Your email is larger than 15 MB. Please upload large files on our site, or send a link.',
    );
  if (isAutomatic(headers, from)) throw new MailRefused('This address does not accept automatic emails.');
  // Anyone can send us an email, and parsing takes time. So the address is also checked before that.
  conversationAt(deps, to, senderIn(headers));
  const mail = await readMail(await bytesOf(raw)).catch(() => {
    throw new MailRefused('Your email could not be read. Please send it as plain text.');
  });
  const about = conversationAt(deps, to, mail.from);
  checkSize(mail, about.kind === 'order' ? maxMessageLength : maxReplyLength);
  // One email may answer several conversations, and a mail program may use the same id for several emails.
  const key = hashSecret([about.kind, about.id, mail.key, mail.text].join('\n'));
  await (about.kind === 'order' ? postToOrder : postToMessage)(deps, about.id, { ...mail, key });
}

/** Why we do not accept an email; undefined for a failure after which it should be delivered again. */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof MailRefused) return error.message;
  return error instanceof ApiError && !isTemporary(error) ? error.message : undefined;
}

/** The Worker's `email` handler. @throws after a temporary failure */
export async function receiveMail(
  delivery: MailDelivery,
  env: Env,
  context: Pick<ExecutionContext, 'waitUntil'>,
): Promise<void> {
  const log = createLog({ requestId: crypto.randomUUID() });
  const deps = { db: openDatabase(env), env };
  try {
    await storeAnswer(deps, delivery);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) {
      log('mail.receive-failed', describeError(error));
      throw error;
    }
    log('mail.rejected', { bytes: delivery.rawSize });
    delivery.setReject(refusal);
    return;
  }
  log('mail.received', { bytes: delivery.rawSize });
  deliverQueued({ ...deps, log, waitUntil: (work) => context.waitUntil(work) });
}
