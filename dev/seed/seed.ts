/** The initial data of a local copy: the demo site and its administrator, or the content of every new site. */
import { firstContent } from '#deploy/first-content.ts';
import type { Seed } from '#deploy/prepare-database.ts';
import { hashPassword } from '#worker/accounts/password-hash.ts';
import { accounts, users } from '#worker/accounts/schema.ts';
import { normalizeEmail } from '#contract/account-rules.ts';
import { newId } from '#contract/ids.ts';
import { stripeKeys } from '#worker/payments/schema.ts';
import { sectionNames } from '#contract/sections/index.ts';
import { demoContent } from './demo-content.ts';
import { demoId } from './demo-id.ts';
import { withLibrary } from './pictures.ts';

export type SeedKind = 'demo' | 'empty';

interface SeedOptions {
  readonly kind: SeedKind;
  readonly adminEmail: string;
  readonly adminPassword: string;
  /** The publishable key for the copy's Stripe. */
  readonly publishableKey: string;
}

async function demoRecords(): Promise<Seed['content']> {
  const content = await withLibrary(demoContent);
  return Object.fromEntries(
    sectionNames.map((section) => [
      section,
      (content[section] ?? []).map((record, index) => ({ _id: demoId(section, index), ...record })),
    ]),
  );
}

export async function localSeed({
  kind,
  adminEmail,
  adminPassword,
  publishableKey,
}: SeedOptions): Promise<Seed> {
  if (kind === 'empty') return { content: firstContent };
  return {
    content: await demoRecords(),
    alsoWrite: async (db, at) => {
      const email = normalizeEmail(adminEmail);
      const passwordHash = await hashPassword(adminPassword);
      return [
        db
          .insert(accounts)
          .values({ id: newId(at), email, emailVerifiedAt: at, passwordHash, createdAt: at }),
        db.insert(users).values({ _id: newId(at), userEmail: email, userRole: 'Admin' }),
        db.insert(stripeKeys).values({ _id: newId(at), stripeKey: publishableKey }),
      ];
    },
  };
}
