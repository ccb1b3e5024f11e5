/** The calls of the contact form, the subscribe form, and what administrators do with both. */
import type { Context, Hono } from 'hono';
import { allowanceFor, clientAddress, takeAllowance } from '../accounts/limits.ts';
import { safeNext } from '../contract/accounts.ts';
import { calls } from '../contract/calls.ts';
import {
  honeypotField,
  messageChange,
  messagesExportQuery,
  messagesQuery,
  messagesToDelete,
  newMessage,
  newSubscriber,
  subscribedFragment,
  turnstileField,
  type DeletedMessages,
  type Message,
  type SubscribeAnswer,
  type Subscriber,
  type TurnstileAnswer,
} from '../contract/messages.ts';
import { pageQuery, totalCountHeader } from '../contract/paging.ts';
import type { AppEnv } from '../http/app.ts';
import { check, isFormPost, readBody } from '../http/body.ts';
import { csvResponse } from '../http/csv.ts';
import { mount } from '../http/mount.ts';
import { redirectWithin } from '../http/redirect.ts';
import { deliverSoon } from '../mail/outbox.ts';
import { dayOf } from '../orders/dates.ts';
import type { FrameAnswer } from '../publishing/frames.ts';
import {
  deleteMessage,
  deleteMessages,
  draftMessage,
  listMessages,
  markRead,
  readAllMessages,
  readMessage,
  receiveMessage,
} from './messages.ts';
import { answerForm } from './plain-forms.ts';
import { addSubscriber, listSubscribers, readAllSubscribers, removeSubscriber } from './subscribers.ts';
import { checkPerson, turnstileSiteKey } from './turnstile.ts';

const takeAddressAllowance = (c: Context<AppEnv>) =>
  takeAllowance(c.var.db, allowanceFor(c.env, 'inboxAddress', clientAddress(c)));

/** Whether the field that people do not see was filled in; then nothing is kept, and nothing tells. */
const isFromBot = (input: { readonly [honeypotField]?: string | undefined }): boolean =>
  Boolean(input[honeypotField]);

/** The page of this site that a form was posted from, or the landing page. */
function pageOf(c: Context<AppEnv>): string {
  const referrer = URL.parse(c.req.header('Referer') ?? '');
  return referrer?.origin === new URL(c.req.url).origin ? (safeNext(referrer.pathname) ?? '/') : '/';
}

const messageColumns: readonly (readonly [string, (message: Message) => string])[] = [
  ['Received', (message) => message.receivedAt],
  ['Full Name', (message) => message.name],
  ['Phone Number', (message) => message.number],
  ['Email', (message) => message.email],
  ['Subject', (message) => message.subject],
  ['Message', (message) => message.message],
  ['Message Status', (message) => message.messageStatus],
];

const subscriberColumns: readonly (readonly [string, (subscriber: Subscriber) => string])[] = [
  ['Email', (subscriber) => subscriber.subemail],
];

/** @param answerFrame shows a form again that could not be taken */
export function mountInbox(app: Hono<AppEnv>, answerFrame: FrameAnswer): void {
  mount(app, calls.turnstile, (c) =>
    c.json({ siteKey: turnstileSiteKey(c.env) ?? null } satisfies TurnstileAnswer),
  );

  mount(app, calls.sendMessage, (c) =>
    answerForm(c, { path: '/shell/message', answerFrame }, newMessage, async (input) => {
      const record = draftMessage(input);
      if (!isFromBot(input)) {
        await takeAddressAllowance(c);
        await checkPerson(c, input[turnstileField]);
        await receiveMessage(c.var.db, c.env, record);
        deliverSoon(c);
      }
      if (isFormPost(c)) return redirectWithin(c, '/thanks');
      return c.json(
        { ...record, receivedAt: new Date(record.receivedAt).toISOString() } satisfies Message,
        201,
      );
    }),
  );

  mount(app, calls.listMessages, async (c) => {
    const { messageStatus, ...page } = check(messagesQuery, c.req.query());
    const { total, messages } = await listMessages(c.var.db, messageStatus, page);
    return c.json(messages, 200, { [totalCountHeader]: String(total) });
  });

  mount(app, calls.readMessage, async (c, id) => c.json(await readMessage(c.var.db, id)));

  mount(app, calls.updateMessage, async (c, id) => {
    await readBody(c, messageChange);
    return c.json(await markRead(c.var.db, id, c.var.account?.id ?? ''));
  });

  mount(app, calls.removeMessage, async (c, id) => {
    await deleteMessage(c.var.db, id, c.var.account?.id ?? '');
    return c.body(null, 204);
  });

  mount(app, calls.removeMessages, async (c) => {
    const { ids } = await readBody(c, messagesToDelete);
    const deleted = await deleteMessages(c.var.db, ids, c.var.account?.id ?? '');
    return c.json({ deleted } satisfies DeletedMessages);
  });

  mount(app, calls.exportMessages, (c) => {
    const { messageStatus } = check(messagesExportQuery, c.req.query());
    const name = `messages-${dayOf(c.env, Date.now())}.csv`;
    return csvResponse(name, messageColumns, readAllMessages(c.var.db, messageStatus));
  });

  mount(app, calls.subscribe, (c) =>
    answerForm(c, { path: '/shell/subscribe', answerFrame }, newSubscriber, async (input) => {
      if (!isFromBot(input)) {
        await takeAddressAllowance(c);
        await addSubscriber(c.var.db, input.subemail);
      }
      if (isFormPost(c)) return redirectWithin(c, `${pageOf(c)}#${subscribedFragment}`);
      return c.json({ subemail: input.subemail } satisfies SubscribeAnswer, 201);
    }),
  );

  mount(app, calls.listSubscribers, async (c) => {
    const { total, subscribers } = await listSubscribers(c.var.db, check(pageQuery, c.req.query()));
    return c.json(subscribers, 200, { [totalCountHeader]: String(total) });
  });

  mount(app, calls.removeSubscriber, async (c, id) => {
    await removeSubscriber(c.var.db, id, c.var.account?.id ?? '');
    return c.body(null, 204);
  });

  mount(app, calls.exportSubscribers, (c) =>
    csvResponse(
      `subscribers-${dayOf(c.env, Date.now())}.csv`,
      subscriberColumns,
      readAllSubscribers(c.var.db),
    ),
  );
}
