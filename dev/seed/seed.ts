/** Fills an empty database: the demo site and its administrator, or the three packages alone. */
import { newId } from '../../worker/contract/ids.ts';
import { normalizeEmail } from '../../worker/contract/accounts.ts';
import { addSchema } from '../../worker/contract/fields.ts';
import { sectionNamed, sectionNames, type SectionName } from '../../worker/contract/sections/index.ts';
import { hashPassword } from '../../worker/accounts/passwords.ts';
import { accounts } from '../../worker/accounts/schema.ts';
import { addRecord, applyChanges, changeStatement, type RecordChange } from '../../worker/content/edits.ts';
import { historyStatement } from '../../worker/content/history.ts';
import { readSnapshot, type StoredContent } from '../../worker/content/reader.ts';
import { writeBatch, type Database } from '../../worker/db/client.ts';
import { publications } from '../../worker/publishing/schema.ts';
import { demoContent } from './demo-content.ts';

export type SeedKind = 'demo' | 'empty';

export interface SeedOptions {
  readonly kind: SeedKind;
  readonly adminEmail: string;
  readonly adminPassword: string;
  /** Publishable key of the Stripe that the copy talks to. */
  readonly publishableKey: string;
}

type Values = Readonly<Record<string, string>>;

/** Sections that a site cannot do without: nothing can be added to them. */
const isFixed = (name: SectionName) => sectionNamed(name).kind === 'fixed';

function recordsToSeed({ kind, adminEmail, publishableKey }: SeedOptions): [SectionName, Values][] {
  const content: Partial<Record<SectionName, readonly Values[]>> = demoContent;
  const records = sectionNames
    .filter((name) => kind === 'demo' || isFixed(name))
    .flatMap((name) => (content[name] ?? []).map((values): [SectionName, Values] => [name, values]));
  return kind === 'empty'
    ? records
    : [
        ...records.filter(([name]) => name !== 'adminUser' && name !== 'paymentKey'),
        ['paymentKey', { stripeKey: publishableKey }],
        ['adminUser', { userEmail: adminEmail, userRole: 'Admin' }],
      ];
}

/**
 * Seeds the database if nothing was ever published in it.
 * @returns whether it was empty
 */
export async function seedIfEmpty(db: Database, options: SeedOptions): Promise<boolean> {
  const snapshot = await readSnapshot(db);
  if (snapshot.revision > 0) return false;
  let content: StoredContent = snapshot.content;
  const changes: RecordChange[] = [];
  for (const [name, values] of recordsToSeed(options)) {
    const added = addRecord(name, addSchema(sectionNamed(name)).parse(values))(content);
    content = applyChanges(content, added);
    changes.push(...added);
  }
  const at = Date.now();
  const account =
    options.kind === 'demo'
      ? [
          db.insert(accounts).values({
            id: newId(at),
            email: normalizeEmail(options.adminEmail),
            emailVerifiedAt: at,
            passwordHash: await hashPassword(options.adminPassword),
            createdAt: at,
          }),
        ]
      : [];
  await writeBatch(db, [
    db.insert(publications).values({ revision: 1, at, by: '', changedPages: '[]' }),
    ...changes.map((change) => changeStatement(db, change)),
    ...changes.map((change) => historyStatement(db, change, { revision: 1, at, by: '' })),
    ...account,
  ]);
  return true;
}
