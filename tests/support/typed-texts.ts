/**
 * Types a text into every text field of every call that is not about a section. The fields come from the contract, so a
 * new field is typed too, or fails the test. What sections hold is typed by `fill` (tests/browser/extremes.all.spec.ts).
 */
import * as z from 'zod';
import type { CallName } from '#contract/call.ts';
import { allCalls, type ListedCall } from '#contract/calls/index.ts';
import { sectionCalls } from '#contract/section-calls.ts';
import { sourceName } from '#contract/source.ts';
import { sectionNames } from '#contract/sections/index.ts';
import { newId } from '#contract/ids.ts';
import { passkeys, accounts } from '#worker/accounts/schema.ts';
import { eq } from 'drizzle-orm';
import { openSystemDatabase } from '../bench/database.ts';
import { callNamed, callPath } from './calls.ts';
import type { Schema } from './fuzz.ts';
import { sendFile, findPackage } from './orders.ts';
import { png } from './pictures.ts';
import { databaseAt } from './system.ts';
import { Visitor, newEmail, type Answer, type Member } from './visitor.ts';

/** A text of a call: `POST /add-message source.page`, or `answers.*` where its names are ids. */
export interface TextField {
  readonly name: string;
  readonly path: readonly string[];
  readonly maxLength: number;
}

/** Texts that are no words for anybody to read: who sends another thing is refused. */
const noWords =
  /(assertion\.|credential\.|[pP]assword$|[tT]oken$| code$|\[\]$|orderId$|[aA]mount$|packagePrice$|turnstile-response$| next$|seenRequest$)/;

function leavesOf(
  schema: Schema,
  path: readonly string[],
): readonly (readonly [readonly string[], Schema])[] {
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (parts) return parts.flatMap((part) => leavesOf(part, path));
  const { properties = {}, additionalProperties, items } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, part]) => leavesOf(part, [...path, name])),
    ...(typeof additionalProperties === 'object' ? leavesOf(additionalProperties, [...path, '*']) : []),
    ...(items ? leavesOf(items, [...path.slice(0, -1), `${path.at(-1) ?? ''}[]`]) : []),
    ...(schema.type === 'string' && !schema.enum && schema.const === undefined && !schema.pattern
      ? [[path, schema] as const]
      : []),
  ];
}

/** The texts of a call that take any words. */
export function textsOf({ name, body }: ListedCall): readonly TextField[] {
  if (!body) return [];
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema;
  return leavesOf(schema, [])
    .map(([path, { maxLength = 5_000 }]) => ({ name: `${name} ${path.join('.')}`, path, maxLength }))
    .filter((field) => !noWords.test(field.name));
}

const ofSections = new Set<string>(sectionNames.flatMap((name) => Object.values(sectionCalls(name))));

/** The calls that take words, sections apart. */
export const wordyCalls = allCalls.filter(
  (call) =>
    !ofSections.has(call.name) && (textsOf(call).length > 0 || /^(file|bytes)$/.test(call.accepts ?? '')),
);

/** Every text that is typed by script; plain forms and files have no more of them. */
export const wordyTexts = wordyCalls
  .filter(({ accepts }) => accepts !== 'form')
  .flatMap((call) => {
    const names = textsOf(call).map(({ name }) => name);
    return names.length > 0 ? names : [call.name];
  });

/** Gives a field its text. */
export type TextFor = (field: TextField) => string;

/** Who types; the customer's email is verified. */
export interface People {
  readonly owner: Visitor;
  readonly customer: Member;
}

export interface Typed {
  /** What the fields were given, or what the product made of it where it says that it changes it. */
  readonly texts: ReadonlyMap<string, string>;
  /** The ids for the screens that show it, by their patterns. */
  readonly ids: Readonly<Record<string, string>>;
}

interface Made {
  readonly _id: string;
}

interface Deed {
  readonly id?: string;
  /** What stands in the body as it is; every other text of the call is typed. */
  readonly given?: Readonly<Record<string, unknown>>;
}

/** Makes calls with a text in each of their fields, and remembers what was typed. */
class Typist {
  readonly texts = new Map<string, string>();
  readonly textFor: TextFor;

  constructor(textFor: TextFor) {
    this.textFor = textFor;
  }

  text(field: TextField): string {
    const text = this.textFor(field);
    this.texts.set(field.name, text);
    return text;
  }

  bodyOf(name: CallName, given: Readonly<Record<string, unknown>>): object {
    const body: Record<string, unknown> = { ...given };
    for (const field of textsOf(callNamed(name))) {
      const [first = '', second] = field.path;
      const as = given[first];
      if (typeof as === 'string') this.texts.set(field.name, as);
      if (as !== undefined || second === '*') continue;
      const text = this.text(field);
      body[first] = second === undefined ? text : { ...(body[first] as object | undefined), [second]: text };
    }
    return body;
  }

  async type(
    by: Visitor,
    name: CallName,
    { id, given = {} }: Deed = {},
  ): Promise<Made & { readonly doneAt?: string }> {
    const { method, path } = callNamed(name);
    const answer = await by.send(method, callPath(path, id), this.bodyOf(name, given));
    return succeeded(name, answer) as Made & { readonly doneAt?: string };
  }
}

function succeeded(what: string, { status, text, json }: Answer): unknown {
  if (status >= 300) throw new Error(`${what} answered ${String(status)}: ${text}`);
  return json;
}

/** What a stranger and a customer write, and what the staff notes of them. */
async function typeToTheFirm(typist: Typist, { owner, customer }: People) {
  const stranger = new Visitor(owner.url);
  const message = await typist.type(stranger, 'POST /add-message', {
    given: { email: customer.email, website: '', messageStatus: 'UnRead' },
  });
  await typist.type(stranger, 'POST /add-subscriber', { given: { website: '' } });
  await typist.type(customer, 'PUT /auth/profile');
  await typist.type(customer, 'PUT /auth/email');
  const { db, close } = openSystemDatabase(databaseAt(owner.url));
  const passkeyId = newId();
  const account = await db.select().from(accounts).where(eq(accounts.email, customer.email)).get();
  await db.insert(passkeys).values({
    ...{ _id: passkeyId, accountId: account?.id ?? '', credentialId: passkeyId, publicKey: '' },
    ...{ counter: 0, name: 'Phone', addedAt: Date.now() },
  });
  close();
  await typist.type(customer, 'PUT /auth/passkeys/:id', { id: passkeyId });
  await typist.type(owner, 'POST /customer/:id/notes', { id: account?.id ?? '' });
  return { '/view/:id': message._id, '/customer/:id': account?.id ?? '' };
}

/** Three orders, what is said and sent on one of them, and money that goes back. */
async function typeOnOrders(typist: Typist, { owner, customer }: People) {
  const sold = await findPackage(customer, 'Premium');
  const { packageName, packagePrice } = sold;
  const given = { packageName, packagePrice, customerEmail: customer.email };
  const unpaid = await typist.type(owner, 'POST /add-order', { given });
  const billed = await typist.type(customer, 'POST /new-order', { given });
  await typist.type(customer, 'PUT /order/:id/billing', { id: billed._id });
  const { _id: id } = await typist.type(customer, 'POST /new-order', { given });
  succeeded('Paying', await owner.put(`/api/order/${id}`, { paymentStatus: 'Paid' }));

  const name = 'POST /order/:id/files';
  const fileName = typist.text({ name, path: [], maxLength: 200 });
  const sent = await sendFile(customer, id, 'words', { name: fileName });
  const file = succeeded(name, sent) as Made & { readonly name: string };
  typist.texts.set(name, file.name);
  await typist.type(customer, 'POST /order/:id/messages', {
    id,
    given: { files: [file._id], kind: 'message' },
  });
  await typeOnWork(typist, { owner, customer }, id);
  await typist.type(owner, 'PUT /order-status/:id', { id, given: { orderStatus: 'Delivered', files: [] } });
  const refund = await typist.type(owner, 'POST /order/:id/refunds', { id, given: { amount: '1' } });
  return {
    ...{ '/order-now/:id': sold._id, '/pay-now/:id': unpaid._id, '/order-cancelled/:id': unpaid._id },
    ...{
      '/order/:id': id,
      '/order-brief/:id': id,
      '/order/:id/receipt': id,
      '/admin/payment-status/:id': id,
    },
    ...{ '/credit-note/:id': refund._id, unpaid: unpaid._id, billed: billed._id },
  };
}

interface Question extends Made {
  readonly kind: string;
  readonly choices: readonly string[];
}

/** Answers to what an order asks, a note with a step of its plan, and what its customer wants changed. */
async function typeOnWork(typist: Typist, { owner, customer }: People, id: string): Promise<void> {
  const name = 'PUT /order/:id/brief';
  const [field] = textsOf(callNamed(name));
  if (!field) throw new Error('A brief takes no answers.');
  const text = typist.text(field);
  const linkName = `${name} link`;
  // A name before the host could pass for one.
  const link = typist.text({ name: linkName, path: [], maxLength: 300 }).replaceAll('@', '/');
  typist.texts.set(linkName, link);
  const { questions } = (await customer.get(callPath('/order/:id/brief', id))).json as {
    readonly questions: readonly Question[];
  };
  const answers = questions.map(({ _id, kind, choices }) => {
    if (kind === 'choice') return [_id, choices[0] ?? ''];
    return [_id, kind === 'link' ? link : text];
  });
  await typist.type(customer, name, { id, given: { answers: Object.fromEntries(answers), status: 'sent' } });

  const { steps } = (await owner.get(callPath('/order/:id/work', id))).json as {
    readonly steps: readonly (Made & { readonly wantsApproval: boolean })[];
  };
  const step = steps.find(({ wantsApproval }) => wantsApproval);
  if (!step) throw new Error('No step of the plan wants an answer.');
  const done = await typist.type(owner, 'PUT /order-step/:id', {
    ...{ id: step._id, given: { state: 'done', files: [] } },
  });
  await typist.type(customer, 'PUT /order-step/:id/answer', {
    ...{ id: step._id, given: { isApproved: false, doneAt: done.doneAt } },
  });
}

/** What the staff types beside the sections: members, pictures, releases, what is not saved. */
async function typeAmongStaff(typist: Typist, { owner }: People) {
  const given = { userRole: 'User', userEmail: newEmail('member') };
  const changed = await typist.type(owner, 'POST /add-user', { given });
  await typist.type(owner, 'PUT /upadete-users/:id', { id: changed._id });
  const member = await typist.type(owner, 'POST /add-user', { given: { userRole: 'User' } });

  const alt = typist.text({ name: 'POST /media', path: [], maxLength: 200 });
  const form = new FormData();
  form.append('file', new File([png(8, 8)], `${alt}.png`));
  form.append('alt', alt);
  const request = new Request('http://x', { method: 'POST', body: form });
  const type = request.headers.get('Content-Type') ?? '';
  const bytes = new Uint8Array(await request.arrayBuffer());
  succeeded(
    'POST /media',
    await owner.send('POST', '/api/media', bytes, { headers: { 'Content-Type': type } }),
  );

  const renamed = await typist.type(owner, 'POST /releases');
  await typist.type(owner, 'PUT /release/:id', { id: renamed._id });
  const release = await typist.type(owner, 'POST /releases');
  const [record] = (await owner.get('/api/banner')).json as readonly Made[];
  const change = { section: 'banner', recordId: record?._id };
  const valuesOf = (name: CallName) => {
    const [field] = textsOf(callNamed(name)).filter(({ path }) => path[1] === '*');
    return { bannerHeading: typist.text(field ?? { name, path: [], maxLength: 5_000 }) };
  };
  const made = { ...change, action: 'update', values: valuesOf('POST /release/:id/changes') };
  await typist.type(owner, 'POST /release/:id/changes', { id: release._id, given: made });
  await typist.type(owner, 'PUT /drafts', {
    given: { ...change, draftId: newId(), values: valuesOf('PUT /drafts') },
  });
  return { '/release/:id': release._id, '/admin-user/:id': member._id, changed: changed._id };
}

/** Types a text into every field of every wordy call. @throws where a call refuses it */
export async function typeEverywhere(people: People, textFor: TextFor): Promise<Typed> {
  const typist = new Typist(textFor);
  const ids = {
    ...(await typeToTheFirm(typist, people)),
    ...(await typeOnOrders(typist, people)),
    ...(await typeAmongStaff(typist, people)),
  };
  // Sources are counted by names in plain letters.
  for (const [name, utm_source] of typist.texts)
    if (name.endsWith('.utm_source'))
      typist.texts.set(name, sourceName({ page: '', referrer: '', utm_source }));
  return { texts: typist.texts, ids };
}
