/**
 * Requests made from the description of the API (`GET /api/openapi.json`): such as hold, such as nearly hold, and such as
 * nobody means well with.
 */
import { newId } from '#contract/ids.ts';
import { below, pick, type Random } from './random.ts';

/** A schema of the description, as far as values are made from it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema?: Schema }>>;
  };
}

/** A request that is ready to be sent; a body is sent as it is. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Values of every kind that some code somewhere has stumbled over. */
export const hostileValues: readonly unknown[] = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e\u2066',
  '\u200b',
  'ﷺ'.repeat(500),
  '👩🏽‍💻'.repeat(100),
  'e\u0301'.repeat(2_600),
  'x'.repeat(5_001),
  'x'.repeat(60_000),
  "'; DROP TABLE orders; --",
  '" OR ""="',
  '%',
  '_%_',
  '<script>alert(1)</script>',
  '</script><svg onload=alert(1)>',
  '{{7*7}}${7*7}',
  '../../etc/passwd',
  '%2e%2e%2f',
  'javascript:alert(1)',
  'data:text/html,x',
  '//evil.example',
  'https://[::1',
  'http://user:pass@host/\\@evil',
  'a@b',
  'a@b.example\nBcc: c@d.example',
  'ａ@example.com',
  '1e3',
  '-0',
  '0x10',
  '٣٤',
  '99.999',
  '1'.repeat(400),
  '9999-99-99',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '\r\nSet-Cookie: a=b',
  'null',
  'undefined',
  'NaN',
  'constructor',
  '__proto__',
  'hasOwnProperty',
  'toString',
  0,
  -1,
  0.1,
  1e308,
  -1e308,
  2 ** 53 + 2,
  -(2 ** 63),
  5e-324,
  true,
  false,
  null,
  [],
  {},
  [[[]]],
  [null],
  { length: -1 },
  { toString: 'x' },
  { then: 'x' },
  { $ne: null },
];

/** Bodies that are no value of any schema. */
const hostileBodies: readonly (string | Uint8Array<ArrayBuffer>)[] = [
  '',
  '{',
  '{"a":',
  'null',
  '[]',
  '"text"',
  '12',
  '\ufeff{}',
  '{"a":1,"a":2}',
  "{'a':1}",
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}',
  '['.repeat(20_000),
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  `{"a":"${'x'.repeat(70_000)}"}`,
  `{"a":${'9'.repeat(5_000)}}`,
  new Uint8Array([0xff, 0xfe, 0x00, 0x7b]),
  new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
];

const hostileIds: readonly string[] = [
  '%00',
  '%E0%A4%A',
  '%2e%2e%2f%2e%2e',
  '..%5c',
  "'%3b--",
  '%F0%9F%92%A9',
  '0',
  '-1',
  'null',
  '__proto__',
  'a'.repeat(3_000),
  '01890000-0000-7000-8000-00000000000g',
  '%20',
];

const hostileHeaders: readonly Readonly<Record<string, string>>[] = [
  { 'If-Match': '*' },
  { 'If-Match': '"-1"' },
  { 'If-Match': '"1e999"' },
  { 'If-Match': 'W/"1", "2"' },
  { 'If-None-Match': `"${'x'.repeat(2_000)}"` },
  { 'Idempotency-Key': '\u00e9'.repeat(500) },
  { 'Idempotency-Key': '' },
  { Accept: 'text/html' },
  { Accept: '*/*;q=nonsense' },
  { Range: 'bytes=-1' },
  { 'Content-Type': 'application/json; charset=utf-16' },
  { 'Content-Type': 'application/x-www-form-urlencoded' },
  { 'Content-Type': 'multipart/form-data' },
  { 'Content-Type': 'text/xml' },
  { 'X-Request-Id': '"},{"event":"forged' },
  { 'X-Forwarded-For': '127.0.0.1', 'X-HTTP-Method-Override': 'DELETE' },
  { 'Stripe-Signature': 't=1,v1=00' },
  { 'User-Agent': '\u00ff'.repeat(3_000) },
  { Origin: 'null' },
  { 'Sec-Fetch-Site': 'cross-site' },
];

/** Texts of which one matches most patterns of the contract. */
const likelyTexts = [
  '499',
  '499.50',
  '12',
  'Basic',
  'pk_test_abcdefghijkl',
  'https://images.example/a.png',
  '/pricing/',
  '#top',
  '2026-11-22',
  'a text of a few words',
  'abcdefghijklmnopqrstuvwxyz0123456789abcdefg',
];

export type Aim = 'valid' | 'near' | 'hostile';

export interface Chance {
  readonly random: Random;
  /** Ids that the system has told of, for requests that mean something. */
  readonly ids: readonly string[];
  /** Those of them that calls about the same things told of; empty where there were none. */
  readonly ownIds: readonly string[];
  readonly emails: readonly string[];
  /** ETags that the system has told of. */
  readonly etags: readonly string[];
}

/** What a call is about, by its path: `/add-video`, `/videos/{id}` and `/update-videos/{id}` are about the same. */
export const subjectOf = (path: string): string =>
  (path.split('/')[1] ?? '')
    .replace(/^(add|new|update|upadete)-/, '')
    .replace(/^(order|customer|about)-.*/, '$1')
    .replace(/s$/, '');

/** An id that may mean something to a call. */
const idFor = ({ random, ids, ownIds }: Chance): string =>
  ownIds.length > 0 && random() < 0.8 ? pick(random, ownIds) : ids.length > 0 ? pick(random, ids) : newId();

/** What a text is by the name of its field, where the description says of it no more than that it is one. */
const likelyFor: readonly (readonly [RegExp, (chance: Chance) => string])[] = [
  [/email/i, ({ random, emails }) => pick(random, emails)],
  [/^(.*Id|_id|delivery|release|order|orderSeen|ids)$/, (chance) => idFor(chance)],
  [/im(a)?g|logo|icon|page(One|Two|Three)|photo|thumbnail/i, () => 'https://images.example/a.png'],
  [/link|href|url|website/i, () => 'https://www.example.com/page'],
  [/^next$/, () => '/service/'],
  [
    /^(path|from|to)$/,
    ({ random }) =>
      pick(random, ['/privacy', `/page-${String(below(random, 1_000))}`, '/service/', '2026-11-22']),
  ],
  [/^kind$/, ({ random }) => pick(random, ['line', 'text', 'link'])],
  [/^required$/, ({ random }) => pick(random, ['yes', 'no'])],
  [/^packages$/, ({ random }) => pick(random, ['Basic', 'Basic, Standard'])],
  [/^format$/, ({ random }) => pick(random, ['Facebook', 'Instagram', 'Youtube'])],
  [/^name$/, () => 'a name.png'],
  [/price|amount/i, ({ random }) => pick(random, ['499', '899', '1499'])],
  [/days?$/i, ({ random }) => String(below(random, 60))],
  [/key$/i, () => 'pk_test_abcdefghijkl'],
  [/^(at|publishAt)$/, ({ random }) => new Date(Date.now() + 1e6 + below(random, 1e9)).toISOString()],
];

function textFor(chance: Chance, schema: Schema, name = ''): string {
  const { random, ids, emails } = chance;
  const [, likely] = likelyFor.find(([pattern]) => pattern.test(name)) ?? [];
  if (likely && !schema.format && random() < 0.9) return likely(chance);
  if (schema.format === 'email' || /email|@/i.test(schema.pattern ?? '')) return pick(random, emails);
  if (schema.format === 'uuid') return idFor(chance);
  if (schema.format === 'date-time') return new Date(Date.now() + below(random, 1e9)).toISOString();
  if (schema.format === 'uri') return 'https://www.example.com/page';
  const { pattern, minLength = 0, maxLength = 60 } = schema;
  const fits = (text: string) => !pattern || new RegExp(pattern, 'u').test(text);
  const known = [...likelyTexts, ...(ids.length > 0 ? [pick(random, ids)] : [])].filter(
    (text) => text.length >= minLength && text.length <= maxLength && fits(text),
  );
  if (known.length > 0 && random() < 0.8) return pick(random, known);
  return 'word '.repeat(20).slice(0, Math.max(minLength, 1 + below(random, Math.min(maxLength, 60))));
}

/** A value that holds by a schema, as far as the schema says everything. */
export function validValue(chance: Chance, schema: Schema, name?: string): unknown {
  const { random } = chance;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return pick(random, schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return validValue(chance, pick(random, choices), name);
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((part) => validValue(chance, part) as object)) as object;
  const type = typeof schema.type === 'object' ? pick(random, schema.type) : schema.type;
  if (type === 'string') return textFor(chance, schema, name);
  if (type === 'boolean') return random() < 0.5;
  if (type === 'null') return null;
  if (type === 'integer' || type === 'number') {
    const { minimum = 0, maximum = 1_000 } = schema;
    return Math.floor(minimum + random() * (Math.min(maximum, minimum + 1_000) - minimum));
  }
  if (type === 'array')
    return Array.from({ length: below(random, 3) }, () => validValue(chance, schema.items ?? {}, name));
  if (type === 'object' || schema.properties) {
    const { properties = {}, required = [] } = schema;
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([key]) => required.includes(key) || random() < (key === 'setupToken' ? 0.1 : 0.6))
        .map(([key, part]) => [key, validValue(chance, part, key)]),
    );
  }
  return textFor(chance, {});
}

/** The value with one thing in it that does not hold. */
function spoil({ random }: Chance, value: unknown, poison: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return pick(random, poison);
  const names = Object.keys(value);
  const entries = Object.entries(value);
  const spoilt = names.length > 0 && random() < 0.85 ? pick(random, names) : undefined;
  if (spoilt === undefined)
    return { ...value, [pick(random, ['_id', 'userRole', 'paymentStatus', 'extra', '__proto__'])]: 'Admin' };
  if (random() < 0.2) return Object.fromEntries(entries.filter(([name]) => name !== spoilt));
  return Object.fromEntries(
    entries.map(([name, part]) => [name, name === spoilt ? pick(random, poison) : part]),
  );
}

/** What is wrong in a way that a mistake could be. */
const nearlyRight = ['', ' ', '0', 'x'.repeat(300), null, 0, -1, true, [], {}, 'Paid', 'https://a.example'];

function bodyFor(chance: Chance, aim: Aim, schema: Schema): string | Uint8Array<ArrayBuffer> {
  const { random } = chance;
  if (aim === 'hostile' && random() < 0.3) return pick(random, hostileBodies);
  const value = validValue(chance, schema);
  if (aim === 'valid') return JSON.stringify(value);
  return JSON.stringify(spoil(chance, value, aim === 'near' ? nearlyRight : hostileValues));
}

function pathFor(chance: Chance, aim: Aim, path: string, operation: Operation): string {
  const { random } = chance;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (aim === 'hostile' && random() < 0.5) return pick(random, hostileIds);
    if (name === 'revision') return String(1 + below(random, 5));
    return random() < 0.9 ? idFor(chance) : newId();
  });
  const query = new URLSearchParams();
  for (const { name, in: place, schema } of operation.parameters ?? []) {
    if (place !== 'query' || random() < (aim === 'valid' ? 0.8 : 0.5)) continue;
    const value =
      aim === 'valid'
        ? validValue(chance, schema, name)
        : pick(random, aim === 'near' ? nearlyRight : hostileValues);
    query.append(name, (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 4_000));
  }
  return `/api${filled}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

/** The headers that an operation takes, each now and then left out. */
function headersFor(chance: Chance, aim: Aim, { parameters = [] }: Operation): Record<string, string> {
  const { random, etags } = chance;
  if (aim === 'hostile' && random() < 0.3) return { ...pick(random, hostileHeaders) };
  const valueOf: Readonly<Record<string, () => string>> = {
    'If-Match': () => (etags.length > 0 ? pick(random, etags) : '"1"'),
    'If-None-Match': () => (etags.length > 0 ? pick(random, etags) : '"1"'),
    'Idempotency-Key': () => (random() < 0.8 ? newId() : idFor(chance)),
    Draft: () => idFor(chance),
  };
  const nearly = ['"0"', 'W/"1"', '*', '"1", "2"', 'x', 'a key', '12345678'];
  return Object.fromEntries(
    parameters
      .filter(({ in: place, name }) => place === 'header' && name in valueOf && random() < 0.7)
      .map(({ name }) => [name, aim === 'valid' ? (valueOf[name]?.() ?? '') : pick(random, nearly)]),
  );
}

/**
 * A request of an operation.
 * @param path its path in the description, such as `/order/{id}`
 * @param file what a call that takes a file or bytes is sent, in place of random ones
 */
export function makeRequest(
  chance: Chance,
  aim: Aim,
  [method, path, operation]: readonly [string, string, Operation],
  file: Uint8Array<ArrayBuffer>,
): FuzzRequest {
  const { random } = chance;
  const headers = headersFor(chance, aim, operation);
  const given = { method, path: pathFor(chance, aim, path, operation) };
  const content = operation.requestBody?.content;
  if (!content) return { ...given, headers };
  const bytes =
    aim === 'valid'
      ? file
      : new Uint8Array(Array.from({ length: below(random, 200) }, () => below(random, 256)));
  if (content['application/octet-stream'])
    return { ...given, body: bytes, headers: { 'Content-Type': 'application/octet-stream', ...headers } };
  if (content['multipart/form-data']) {
    const encode = (text: string) => new TextEncoder().encode(text);
    const head = `--frontier\r\nContent-Disposition: form-data; name="file"; filename="${aim === 'valid' ? 'a' : '..'}.png"\r\nContent-Type: image/png\r\n\r\n`;
    const tail = `\r\n--frontier\r\nContent-Disposition: form-data; name="alt"\r\n\r\nA picture\r\n--frontier--${aim === 'hostile' ? '' : '\r\n'}`;
    return {
      ...given,
      body: new Uint8Array([...encode(head), ...bytes, ...encode(aim === 'hostile' ? '' : tail)]),
      headers: { 'Content-Type': 'multipart/form-data; boundary=frontier', ...headers },
    };
  }
  const body = bodyFor(chance, aim, content['application/json']?.schema ?? {});
  return { ...given, body, headers: { 'Content-Type': 'application/json', ...headers } };
}
