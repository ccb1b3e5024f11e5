/** The account calls in this process, over their own database, with a clock that a test can move. */
import { eq } from 'drizzle-orm';
import { auditMiddleware } from '#worker/audit/audited-calls.ts';
import { mountAudit } from '#worker/audit/routes.ts';
import type { SessionAnswer } from '#contract/account-schemas.ts';
import { emailOf, nameOf } from '#worker/accounts/owner.ts';
import { mountAccounts } from '#worker/accounts/routes.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { loadAccount } from '#worker/accounts/session-cookies.ts';
import type { Env } from '#worker/env.ts';
import { createApp } from '#worker/http/app.ts';
import { guard } from '#worker/http/guard.ts';
import { personalRecords } from '#worker/personal-records.ts';
import { customerPassword, insertAccount, insertSession } from '../support/accounts.ts';
import { type App, openApp, callerOf } from '../support/in-process-app.ts';
import { openTestDatabase, type SentMail } from '../support/test-database.ts';
import type { Visitor } from '../support/visitor.ts';

export const origin = 'http://site.test';

export type AccountsApp = Awaited<ReturnType<typeof openAccountsApp>>;

/**
 * @param settings Worker settings that override the defaults
 * @param mountMore mounts further calls
 */
export async function openAccountsApp(
  settings: Partial<Env> = {},
  mountMore: (api: App) => void = () => undefined,
) {
  const { db, env, mails, close } = await openTestDatabase(settings);
  const running = new Set<Promise<unknown>>();
  const app = openAccountCalls(mountMore);

  /** A browser with its own cookies. */
  const openBrowser = () =>
    callerOf(app, env, (work) => {
      running.add(work);
      void work.finally(() => running.delete(work));
    });

  /** Waits for the work that continues after the responses. */
  const settle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    db,
    env,
    /** The sent emails, oldest first. */
    mails: mails as readonly SentMail[],
    openBrowser,
    settle,
    /** The row of the account with an email. */
    async accountOf(email: string): Promise<typeof accounts.$inferSelect> {
      const account = await db.select().from(accounts).where(eq(accounts.email, email)).get();
      if (!account) throw new Error(`There is no account of ${email}.`);
      return account;
    },
    /** The secret of the last link that was emailed to a person and opens a page; by default any page. */
    async mailedToken(email: string, page = ''): Promise<string> {
      await settle();
      const mail = mails.findLast(({ to, text }) => to === email && text.includes(`${page}?token=`));
      return /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? 'no mail';
    },
    close,
  };
}

/** Who a browser is signed in as, requested like its pages do. */
export const sessionOf = async (browser: Visitor) =>
  (await browser.get('/api/auth/session')).json as SessionAnswer;

/** A signed-in person with a new account. The password is `customerPassword`. */
export async function signInNew(
  app: Pick<AccountsApp, 'db' | 'openBrowser'>,
  email: string,
  isVerified = true,
): Promise<Visitor> {
  await insertAccount(app.db, { email, password: customerPassword, isVerified });
  const browser = app.openBrowser();
  browser.cookies.set('__Host-session', await insertSession(app.db, email));
  return browser;
}

function openAccountCalls(mountMore: (api: App) => void): App {
  const app = openApp();
  app.use(loadAccount);
  const api = createApp();
  api.use(guard);
  api.use(auditMiddleware);
  mountAudit(api, { emailOf, nameOf });
  mountAccounts(api, personalRecords);
  mountMore(api);
  app.route('/api', api);
  return app;
}
