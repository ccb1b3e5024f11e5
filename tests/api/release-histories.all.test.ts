/**
 * Random histories of three administrators: one works in a release, one saves live, one restores records and revisions.
 * After every step a plain model says what is live and what conflicts. `RELEASE_SEED` repeats one history, or some
 * (`1-250`).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HistoryEntry } from '#contract/history.ts';
import { registerAdministrator } from '../support/cast.ts';
import { liveRevision, type PlainRecord } from '../support/content.ts';
import { fullSize } from '../support/limits.ts';
import { randomFrom } from '../support/random.ts';
import { beginRelease, publishRelease, readRelease, releaseOf, sendChange } from '../support/releases.ts';
import { openSystem, type InProcessSystem } from '../support/in-process-system.ts';
import { signInAdministrator, type Visitor } from '../support/visitor.ts';

const [firstSeed = 1, lastSeed = firstSeed] = (process.env['RELEASE_SEED'] ?? (fullSize ? '1-1000' : '1-10'))
  .split('-')
  .map(Number);
const steps = 16;
const fields = ['accodingTitle', 'accodingText'] as const;
type Field = (typeof fields)[number];
type Texts = Readonly<Record<Field, string>>;
type SomeTexts = Readonly<Partial<Texts>>;

/** What the release is to do to a record. */
type Planned =
  | { readonly kind: 'add'; readonly mine: Texts }
  | { readonly kind: 'update'; readonly base: SomeTexts; readonly mine: SomeTexts }
  | { readonly kind: 'remove'; readonly base: Texts };

let system: InProcessSystem;
let preparing: Visitor;
let saving: Visitor;
let restoring: Visitor;

beforeAll(async () => {
  system = await openSystem();
  preparing = await signInAdministrator(system.url);
  saving = await registerAdministrator(system.url, preparing);
  restoring = await registerAdministrator(system.url, preparing);
});
afterAll(() => system.stop());

const entriesOf = (texts: SomeTexts) => Object.entries(texts) as [Field, string][];

const textsOf = ({ accodingTitle = '', accodingText = '' }: SomeTexts): Texts => ({
  accodingTitle,
  accodingText,
});

/** One history: the site as the model has it, and the steps that change both. */
class History {
  live = new Map<string, Texts>();
  /** All that each record ever said. */
  readonly versions = new Map<string, Texts[]>();
  /** What was live, by revision. */
  readonly past = new Map<number, ReadonlyMap<string, Texts>>();
  readonly planned = new Map<string, Planned>();
  readonly random: () => number;
  readonly told: string[] = [];
  releaseId = '';
  texts = 0;

  constructor(seed: number) {
    this.random = randomFrom(seed);
  }

  pick<T>(from: Iterable<T>): T | undefined {
    const all = [...from];
    return all[Math.floor(this.random() * all.length)];
  }

  newText = () => `Text ${(this.texts += 1)}`;
  newTexts = (): Texts => ({ accodingTitle: this.newText(), accodingText: this.newText() });

  setLive(id: string, texts: Texts) {
    this.live.set(id, texts);
    this.versions.set(id, [...(this.versions.get(id) ?? []), texts]);
  }

  /** The fields of a planned change that somebody else changed since; undefined where it does not conflict. */
  conflictOf(id: string, planned: Planned): readonly Field[] | undefined {
    const now = this.live.get(id);
    if (planned.kind === 'add' || (planned.kind === 'remove' && !now)) return undefined;
    if (!now) return [];
    const { base } = planned;
    const mine: SomeTexts = planned.kind === 'update' ? planned.mine : {};
    const changed = entriesOf(base).flatMap(([field, was]) =>
      now[field] !== was && (planned.kind === 'remove' || now[field] !== mine[field]) ? [field] : [],
    );
    return changed.length > 0 ? changed : undefined;
  }

  async begin() {
    this.releaseId = (await beginRelease(preparing, 'History'))._id;
    this.planned.clear();
  }

  addLive = async () => {
    const texts = this.newTexts();
    const answer = await saving.post('/api/add-faq-item', texts);
    expect(answer.status).toBe(201);
    this.setLive((answer.json as PlainRecord)._id, texts);
  };

  saveLive = async () => {
    const id = this.pick(this.live.keys());
    const field = this.pick(fields);
    const now = this.live.get(id ?? '');
    if (id === undefined || !field || !now) return;
    const text = this.newText();
    expect((await saving.put(`/api/faq-item/${id}`, { [field]: text })).status).toBe(200);
    this.setLive(id, { ...now, [field]: text });
  };

  removeLive = async () => {
    const id = this.pick(this.live.keys());
    if (id === undefined) return;
    expect((await saving.delete(`/api/faq-item/${id}`)).status).toBe(200);
    this.live.delete(id);
  };

  /** Brings a record back to a version of its history, which has all that it ever said and nothing else. */
  restore = async () => {
    const id = this.pick(this.versions.keys());
    if (id === undefined) return;
    const { json } = await restoring.get(`/api/history/${id}`);
    const told = (json as readonly HistoryEntry[]).filter(({ after }) => after);
    const said = new Set(told.map(({ after }) => JSON.stringify(textsOf(after ?? {}))));
    expect(said).toEqual(new Set((this.versions.get(id) ?? []).map((texts) => JSON.stringify(texts))));
    const { version, after } = this.pick(told) ?? { version: 0, after: null };
    const answer = await restoring.post(`/api/history/${id}/restore`, { version });
    expect(answer.status, answer.text).toBe(200);
    this.setLive(id, textsOf(after ?? {}));
  };

  goBack = async () => {
    const revision = this.pick(this.past.keys()) ?? 0;
    const past = this.past.get(revision);
    if (!past) return;
    const isNow = revision === (await liveRevision(restoring));
    const answer = await restoring.post(`/api/publications/${revision}/go-back`);
    expect(answer.status, answer.text).toBe(isNow ? 404 : 200);
    this.live = new Map(past);
  };

  planAdd = async () => {
    const mine = this.newTexts();
    const before = new Set(this.planned.keys());
    const sent = { section: 'faqItem', action: 'add', values: mine } as const;
    const { changes } = releaseOf(await sendChange(preparing, this.releaseId, sent));
    const added = changes.find(({ recordId }) => recordId !== null && !before.has(recordId));
    this.planned.set(added?.recordId ?? '', { kind: 'add', mine });
  };

  planUpdate = async () => {
    const id = this.pick([...this.versions.keys(), ...this.planned.keys()]);
    const field = this.pick(fields);
    if (id === undefined || !field) return;
    const text = this.newText();
    const sent = { section: 'faqItem', action: 'update', recordId: id, values: { [field]: text } } as const;
    const { status } = await sendChange(preparing, this.releaseId, sent, '*');
    const [planned, now] = [this.planned.get(id), this.live.get(id)];
    if (planned?.kind === 'add')
      this.planned.set(id, { kind: 'add', mine: { ...planned.mine, [field]: text } });
    else if (now) {
      const former = planned?.kind === 'update' ? planned : { base: {}, mine: {} };
      this.planned.set(id, {
        kind: 'update',
        base: { ...former.base, [field]: now[field] },
        mine: { ...former.mine, [field]: text },
      });
    }
    expect(status).toBe(planned?.kind === 'add' || now ? 201 : 404);
  };

  planRemoval = async () => {
    const id = this.pick(this.live.keys());
    const now = this.live.get(id ?? '');
    if (id === undefined || !now) return;
    const sent = { section: 'faqItem', action: 'remove', recordId: id } as const;
    expect((await sendChange(preparing, this.releaseId, sent, '*')).status).toBe(201);
    this.planned.set(id, { kind: 'remove', base: now });
  };

  /** Solves one conflict as the screen does: by their text, by the release's, or by taking the change out. */
  solve = async () => {
    const { changes } = await readRelease(preparing, this.releaseId);
    const told = new Map(changes.map(({ recordId, conflict }) => [recordId, conflict]));
    for (const [id, planned] of this.planned) {
      const expected = this.conflictOf(id, planned);
      expect(
        told.get(id)?.fields.map(({ field }) => field),
        id,
      ).toEqual(expected);
    }
    const change = this.pick(changes.filter(({ conflict }) => conflict));
    const id = change?.recordId ?? '';
    const [planned, now] = [this.planned.get(id), this.live.get(id)];
    if (!change || !planned) return;
    if (!now || planned.kind !== 'update' || this.random() < 0.3) {
      await preparing.delete(`/api/release/${this.releaseId}/changes/${change._id}`);
      this.planned.delete(id);
      return;
    }
    const isTheirs = this.random() < 0.5;
    const chosen = Object.fromEntries(
      (this.conflictOf(id, planned) ?? []).map((field) => [
        field,
        (isTheirs ? now : planned.mine)[field] ?? '',
      ]),
    );
    const sent = { section: 'faqItem', action: 'update', recordId: id, values: chosen } as const;
    const version = change.recordVersion ?? 0;
    const answer = await sendChange(preparing, this.releaseId, { ...sent, version }, change.version);
    expect(answer.status, answer.text).toBe(201);
    const kept = (texts: SomeTexts) =>
      Object.fromEntries(entriesOf(texts).filter(([field]) => !(field in chosen)));
    const ours = isTheirs ? {} : chosen;
    const base = {
      ...kept(planned.base),
      ...(isTheirs
        ? {}
        : Object.fromEntries(Object.keys(chosen).map((field) => [field, now[field as Field]]))),
    };
    const mine = { ...kept(planned.mine), ...ours };
    if (Object.keys(mine).length === 0) this.planned.delete(id);
    else this.planned.set(id, { kind: 'update', base, mine });
  };

  publish = async () => {
    const { status, text } = await publishRelease(preparing, this.releaseId);
    const conflicts = [...this.planned].filter(([id, planned]) => this.conflictOf(id, planned));
    expect(status, text).toBe(this.planned.size === 0 || conflicts.length > 0 ? 409 : 200);
    if (status !== 200) return;
    expect((await publishRelease(preparing, this.releaseId)).status, 'published twice').toBe(409);
    for (const [id, planned] of this.planned) {
      const now = this.live.get(id);
      if (planned.kind === 'remove') this.live.delete(id);
      else if (planned.kind === 'add') this.setLive(id, planned.mine);
      else if (now && entriesOf(planned.mine).some(([field, value]) => now[field] !== value))
        this.setLive(id, { ...now, ...planned.mine });
    }
    await this.begin();
  };

  /** What is live, of the records of this history. */
  async check() {
    const listed = (await saving.get('/api/faq-items')).json as readonly PlainRecord[];
    const known = new Set([...this.versions.keys(), ...this.planned.keys()]);
    const found = listed.filter(({ _id }) => known.has(_id));
    expect(
      Object.fromEntries(found.map(({ _id, ...texts }) => [_id, texts])),
      `after ${this.told.join(', ')}`,
    ).toEqual(Object.fromEntries(this.live));
    this.past.set((await liveRevision(saving)) ?? 0, new Map(this.live));
    return listed.length;
  }

  async end() {
    await preparing.delete(`/api/release/${this.releaseId}`);
    for (const id of this.live.keys()) await saving.delete(`/api/faq-item/${id}`);
  }
}

/** Each as likely as it is often here. */
const stepNames = [
  ...(['addLive', 'saveLive', 'saveLive', 'removeLive', 'restore', 'restore', 'goBack'] as const),
  ...(['planAdd', 'planUpdate', 'planUpdate', 'planUpdate', 'planRemoval'] as const),
  ...(['solve', 'solve', 'publish', 'publish'] as const),
];

test('In every history no change is lost, and nothing is live that nobody asked for', async () => {
  const others = ((await saving.get('/api/faq-items')).json as readonly unknown[]).length;
  for (let seed = firstSeed; seed <= lastSeed; seed += 1) {
    const history = new History(seed);
    await history.begin();
    await history.addLive();
    await history.addLive();
    await history.check();
    for (let step = 0; step < steps; step += 1) {
      const name = history.pick(stepNames) ?? 'publish';
      history.told.push(name);
      await history[name]();
      expect(await history.check(), `seed ${seed}`).toBe(others + history.live.size);
    }
    await history.end();
  }
});
