/** Routes for the contact form, the subscribe form, and the staff's work with messages and subscribers. */
import type { Context, Hono } from 'hono';
import { answerDone, redirectToForm, setNoticeCookie } from '../http/forms.ts';
import { rateLimitFor, countAttempt } from '../limits/rate-limits.ts';
import { recordAudit } from '../audit/audit.ts';
import { setAuditDetails } from '../audit/audited-calls.ts';
import { safeNext } from '#contract/account-rules.ts';
import { inboxCalls } from '#contract/inbox.calls.ts';
import {
  honeypotField,
  subscribedFragment,
  suspectedMark,
  subscriptionTexts,
  turnstileField,
} from '#contract/inbox.ts';
import type { Message, Subscriber } from '#contract/inbox.calls.ts';
import { counted } from '#contract/counted.ts';
import { linkTo } from '#contract/screens.ts';
import { sourceColumns } from '#contract/source.ts';
import { dayOf, turnstileSiteKey, type Env } from '../env.ts';
import { callerOf, depsOf, type AppEnv } from '../http/app.ts';
import { isFormPost } from '../http/body.ts';
import { csvResponse, type CsvColumns } from '../http/csv.ts';
import { hashSecret } from '../http/secrets.ts';
import { isSameOrigin } from '../http/guard.ts';
import { answerList, mount } from '../http/mount.ts';
import { redirectWithin } from '../http/redirect.ts';
import { withAssignees } from '../notes/assignments.ts';
import { writeTombstone } from '../operations/tombstones.ts';
import type { FrameAnswer } from '../publishing/frames.ts';
import {
  deleteMessage,
  deleteMessages,
  toMessageRecord,
  findNeighbors,
  listMessages,
  markRead,
  messageOf,
  readAllMessages,
  readMessage,
  receiveMessage,
} from './messages.ts';
import { listReplies, replyToMessage } from './replies.ts';
import { serveReplyFile } from './reply-files.ts';
import { returnForm } from './plain-forms.ts';
import { deleteSavedAnswer, listSavedAnswers, saveAnswer } from './saved-answers.ts';
import { confirmSubscription, subscribe, unsubscribeLink } from './subscribe.ts';
import { listSubscribers, readAllSubscribers, removeSubscriber, unsubscribe } from './subscribers.ts';
import { checkTurnstile } from '../limits/turnstile.ts';
import { hourMs } from '../http/clock.ts';
import { clientAddress } from '../http/network-address.ts';

/**
 * The idempotency key of a form sent without scripts (docs/decisions/public-forms.md). The same content within the same
 * hour, for example after a double click, is one request. Turnstile's token is different in each attempt, so it is left
 * out. Undefined for a script, which sends its own key.
 */
function plainKey(c: Context<AppEnv>, body: object): string | undefined {
  if (!isFormPost(c)) return undefined;
  const fields = JSON.stringify({ ...body, [turnstileField]: undefined });
  return `${Math.floor(Date.now() / hourMs)}\n${fields}`;
}

/**
 * A key that is specific to its caller: the signed-in account, or a hash of the visitor's network.
 * @param key the key that a script sent; without one, the key of a plain form
 */
function callersKey(c: Context<AppEnv>, key: string | undefined, body: object): string | undefined {
  const sent = key ?? plainKey(c, body);
  return sent && hashSecret(`${c.var.account?.id ?? clientAddress(depsOf(c))}\n${sent}`);
}

/**
 * Whether the hidden field was filled in. Bots fill it in, and so do some password managers, so nothing is rejected. A
 * message is marked for the staff, and a subscription waits for confirmation as usual. The response does not reveal it.
 */
const isSuspected = (input: { readonly [honeypotField]?: string | undefined }): boolean =>
  Boolean(input[honeypotField]);

/**
 * The page of this site that a form was posted from, with its return target; the landing page if unknown. A rejected
 * form is shown at its call's address.
 */
function pageOf(c: Context<AppEnv>): string {
  const referrer = URL.parse(c.req.header('Referer') ?? '');
  const { origin, pathname: ownPath } = new URL(c.req.url);
  if (referrer?.origin !== origin || referrer.pathname === ownPath) return linkTo('home');
  const next = referrer.searchParams.get('next');
  return safeNext(referrer.pathname + (next ? `?next=${encodeURIComponent(next)}` : '')) ?? linkTo('home');
}

const messageColumns: CsvColumns<Message> = [
  ['Received', (message) => message.receivedAt],
  ['Full Name', (message) => message.name],
  ['Phone Number', (message) => message.number],
  ['Email', (message) => message.email],
  ['Subject', (message) => message.subject],
  ['Message', (message) => message.message],
  ['Message Status', (message) => message.messageStatus],
  ...sourceColumns,
];

const subscriberColumns = (env: Env): CsvColumns<Subscriber> => [
  ['Email', ({ subemail }) => subemail],
  ['State', ({ state }) => state],
  ['Unsubscribe', ({ _id }) => unsubscribeLink(env, _id)],
];

const writeSubscriberTombstone = (c: Context<AppEnv>, id: string): void =>
  c.executionCtx.waitUntil(writeTombstone(c.env, c.var.log, 'subscriber', id));

/** @param answerFrame shows a rejected form again */
export function mountInbox(app: Hono<AppEnv>, answerFrame: FrameAnswer): void {
  mount(app, inboxCalls, {
    'GET /turnstile': ({ c }) => ({ siteKey: turnstileSiteKey(c.env) ?? null }),

    'POST /add-message': {
      refuse: returnForm({ path: '/shell/message', answerFrame }),
      handle: async ({ c, body, idempotencyKey }) => {
        const key = callersKey(c, idempotencyKey, body);
        const record = toMessageRecord(body, key);
        if (isSuspected(body)) record.subject = suspectedMark + body.subject;
        await countAttempt(depsOf(c), 'inboxAddress', clientAddress(depsOf(c)));
        await checkTurnstile(depsOf(c), body[turnstileField], key);
        const stored = await receiveMessage(c.var.db, c.env, record, c.var.account);
        if (isFormPost(c)) return redirectWithin(c, linkTo('thanks'));
        return messageOf({ ...record, ...stored, subject: body.subject });
      },
    },

    'GET /messages': async ({ c, account, query: { page, pageSize, mine, ...filter } }) => {
      const wanted = { ...filter, assigneeId: mine && account.id };
      const found = answerList(c, await listMessages(c.var.db, wanted, { page, pageSize }));
      return withAssignees(c.var.db, 'message', found);
    },

    'GET /message/:id/neighbors': ({ c, id, account, query: { mine, ...filter } }) =>
      findNeighbors(c.var.db, id, { ...filter, assigneeId: mine && account.id }),

    'GET /saved-answers': ({ c }) => listSavedAnswers(c.var.db),

    'PUT /saved-answer/:id': ({ c, account, id, body }) =>
      saveAnswer(callerOf(c, account), { _id: id, ...body }),

    'DELETE /saved-answer/:id': async ({ c, id }) => {
      const { title } = await deleteSavedAnswer(c.var.db, id);
      setAuditDetails(c, { details: `Deleted the saved reply “${title}”` });
    },

    'GET /message/:id': ({ c, id }) => readMessage(c.var.db, id),

    'PUT /message/:id': ({ c, id, account }) => markRead(c.var.db, id, account.id),

    'GET /message/:id/replies': ({ c, id }) => listReplies(c.var.db, id),

    'POST /message/:id/replies': ({ c, account, id, body, idempotencyKey }) =>
      replyToMessage(callerOf(c, account), id, body.text, idempotencyKey),

    'GET /reply-file/:id': ({ c, id }) => serveReplyFile(c.var.db, c.env, id),

    'DELETE /message/:id': async ({ c, id, account }) => {
      await deleteMessage(c.var.db, id, account.id);
      setAuditDetails(c, { details: 'Deleted a message' });
    },

    'DELETE /messages': async ({ c, account, body: { ids } }) => {
      const deleted = await deleteMessages(c.var.db, ids, account.id);
      const details = `Deleted ${counted(deleted, 'message')}`;
      if (deleted > 0) recordAudit(depsOf(c), { action: 'removal', accountId: account.id, details });
      return { deleted };
    },

    'GET /messages.csv': ({ c, query: { messageStatus } }) =>
      csvResponse(
        `messages-${dayOf(c.env, Date.now())}.csv`,
        messageColumns,
        readAllMessages(c.var.db, messageStatus),
      ),

    'POST /add-subscriber': {
      refuse: returnForm({ path: '/shell/subscribe', answerFrame }),
      handle: async ({ c, body, idempotencyKey }) => {
        await subscribe(
          { db: c.var.db, env: c.env },
          body.subemail,
          rateLimitFor(c.env, 'inboxAddress', clientAddress(depsOf(c))),
          callersKey(c, idempotencyKey, body),
        );
        if (isFormPost(c)) return redirectWithin(c, `${pageOf(c)}#${subscribedFragment}`);
        return { subemail: body.subemail };
      },
    },

    'POST /confirm-subscription': {
      refuse: redirectToForm({ page: linkTo('confirmSubscription'), keep: ['token'] }),
      handle: async ({ c, body: { token } }) => {
        await confirmSubscription(c.var.db, c.env, token);
        return answerDone(c, linkTo('confirmSubscription'), subscriptionTexts.confirmed);
      },
    },

    'GET /unsubscribe/:id': ({ c, id }) => redirectWithin(c, `${linkTo('unsubscribe')}?token=${id}`, 302),

    // One-click unsubscribe must not redirect (RFC 8058, section 3.1).
    'POST /unsubscribe/:id': {
      refuse: (c, _sent, error) => {
        if (!isSameOrigin(c.req.raw)) throw error;
        setNoticeCookie(c, { page: linkTo('unsubscribe'), kind: 'problem', text: error.message });
        return redirectWithin(c, `${linkTo('unsubscribe')}?token=${c.req.param('id') ?? ''}`);
      },
      handle: async ({ c, id }) => {
        if ((await unsubscribe(c.var.db, [id])) > 0) writeSubscriberTombstone(c, id);
        return isSameOrigin(c.req.raw)
          ? answerDone(c, linkTo('unsubscribe'), subscriptionTexts.unsubscribed)
          : undefined;
      },
    },

    'GET /subscribers': async ({ c, query }) => answerList(c, await listSubscribers(c.var.db, query)),

    'DELETE /subscriber/:id': async ({ c, id, account }) => {
      await removeSubscriber(c.var.db, id, account.id);
      setAuditDetails(c, { details: 'Removed a subscriber' });
      writeSubscriberTombstone(c, id);
    },

    'GET /subscribers.csv': ({ c, query: { state } }) =>
      csvResponse(
        `subscribers-${dayOf(c.env, Date.now())}.csv`,
        subscriberColumns(c.env),
        readAllSubscribers(c.var.db, state),
      ),
  });
}
