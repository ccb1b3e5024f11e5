/**
 * The local stand-in for Cloudflare Email Service. Its `Mailer` entrypoint implements the binding's `send()`. It shows
 * the stored emails at /dev/mailbox, as a page or as JSON, newest first.
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/
 */
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';
import { html } from 'hono/html';
import { localPage, localPageHeaders } from '../local-page.ts';
import { refusalOf, type Message } from './rules.ts';

export interface Mail extends Omit<Message, 'from'> {
  /** An address, or `Name <address>`. */
  readonly from: string;
  /** ISO 8601. */
  readonly sentAt: string;
}

interface MailboxEnv {
  readonly MAILS: DurableObjectNamespace<MailStore>;
}

/** Stores the emails, so that they survive a restart. */
export class MailStore extends DurableObject<MailboxEnv> {
  constructor(state: DurableObjectState, env: MailboxEnv) {
    super(state, env);
    state.storage.sql.exec('CREATE TABLE IF NOT EXISTS mails (id INTEGER PRIMARY KEY, mail TEXT NOT NULL)');
  }

  keep(mail: Mail): void {
    this.ctx.storage.sql.exec('INSERT INTO mails (mail) VALUES (?)', JSON.stringify(mail));
  }

  /** How many emails were stored since a time (ISO 8601). */
  countSince(moment: string): number {
    const { count } = this.ctx.storage.sql
      .exec<{ count: number }>("SELECT count(*) AS count FROM mails WHERE mail ->> 'sentAt' >= ?", moment)
      .one();
    return count;
  }

  list(): Mail[] {
    const rows = this.ctx.storage.sql
      .exec<{ mail: string }>('SELECT mail FROM mails ORDER BY id DESC')
      .toArray();
    return rows.map(({ mail }) => JSON.parse(mail) as Mail);
  }
}

const store = (env: MailboxEnv) => env.MAILS.get(env.MAILS.idFromName('mailbox'));

/** An error in the format that the binding throws, with its code as a property. */
const refusal = (code: string, message: string) => Object.assign(new Error(message), { code });

/** The entrypoint that the production Worker calls as `EMAIL`. */
export class Mailer extends WorkerEntrypoint<MailboxEnv> {
  /** Stores an email, unless the service would reject it. */
  async send(message: Message): Promise<{ messageId: string }> {
    const { from } = message;
    const mails = store(this.env);
    const sentAt = new Date().toISOString();
    const refused = refusalOf(message, await mails.countSince(`${sentAt.slice(0, 10)}T00:00:00.000Z`));
    if (refused) throw refusal(refused.code, refused.said);
    const sender = typeof from === 'string' ? from : `${from.name} <${from.email}>`;
    await mails.keep({ ...message, from: sender, sentAt });
    return { messageId: crypto.randomUUID() };
  }
}

/** A form that answers an email as its recipient would, on the same path as incoming mail (dev/worker.ts). */
const replyForm = ({ to, from, replyTo, subject, text }: Mail) =>
  html`<details>
    <summary>Reply</summary>
    <form method="post" enctype="multipart/form-data">
      <input type="hidden" name="from" value="${to}" />
      <input type="hidden" name="to" value="${replyTo ?? /<(.+)>$/.exec(from)?.[1] ?? from}" />
      <input type="hidden" name="subject" value="${`Re: ${subject.replace(/^Re: /, '')}`}" />
      <input type="hidden" name="quoted" value="${text}" />
      <textarea name="text" aria-label="Your reply" rows="4" required></textarea>
      <input type="file" name="file" aria-label="Attachments" multiple />
      <button>Send</button>
    </form>
  </details>`;

const page = (mails: readonly Mail[]) =>
  localPage(
    'Mailbox',
    'Emails that this local site has sent, newest first. Nothing leaves this machine.',
    html`${mails.length === 0 ? html`<p>No emails yet.</p>` : ''}
    ${mails.map(
      (mail) =>
        html`<article>
          <h2>${mail.subject}</h2>
          <p class="soft">
            To ${mail.to} · from
            ${mail.from}${mail.replyTo === undefined ? '' : html` · replies to ${mail.replyTo}`} ·
            <time>${mail.sentAt}</time>
          </p>
          <pre>${linkify(mail.text)}</pre>
          ${replyForm(mail)}
        </article>`,
    )}`,
  );

/** A link ends before the punctuation of its sentence, as in mail programs. */
const linkify = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));

export default {
  async fetch(request, env) {
    const mails = await store(env).list();
    if ((request.headers.get('Accept') ?? '').includes('application/json'))
      return Response.json(mails, { headers: { 'Cache-Control': 'no-store' } });
    return new Response(String(await page(mails)), { headers: localPageHeaders });
  },
} satisfies ExportedHandler<MailboxEnv>;
