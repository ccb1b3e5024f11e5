/** Random requests made from the description of the API (`GET /api/openapi.json`): valid, nearly valid and hostile ones. */
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

/** Values that often break code. */
const hostileValues: readonly unknown[] = [
  '',
  '\0',
  '\ud800',
  '\u202e\u2066',
  '👩🏽‍💻'.repeat(100),
  'e\u0301'.repeat(2_600),
  'x'.repeat(60_000),
  "'; DROP TABLE orders; --",
  '_%_',
  '<script>alert(1)</script>',
  '{{7*7}}${7*7}',
  '../../etc/passwd',
  'javascript:alert(1)',
  '//evil.example',
  'http://user:pass@host/\\@evil',
  'a@b.example\nBcc: c@d.example',
  '1e3',
  '٣٤',
  '1'.repeat(400),
  '2026-02-30T25:61:61Z',
  '-271821-04-20T00:00:00Z',
  '\r\nSet-Cookie: a=b',
  'null',
  'constructor',
  '__proto__',
  0,
  -1,
  1e308,
  2 ** 53 + 2,
  5e-324,
  true,
  null,
  [],
  {},
  [[[]]],
  { length: -1 },
  { toString: 'x' },
  { $ne: null },
];

/** Bodies that fit no schema. */
const hostileBodies: readonly (string | Uint8Array<ArrayBuffer>)[] = [
  '',
  '{',
  '[]',
  '\ufeff{}',
  '{"a":1,"a":2}',
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}',
  '['.repeat(20_000),
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  `{"a":"${'x'.repeat(70_000)}"}`,
  new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
];

const hostileIds: readonly string[] = [
  '%00',
  '%2e%2e%2f%2e%2e',
  "'%3b--",
  '-1',
  'null',
  '__proto__',
  'a'.repeat(3_000),
  '01890000-0000-7000-8000-00000000000g',
];

const hostileHeaders: readonly Readonly<Record<string, string>>[] = [
  { 'If-Match': '*' },
  { 'If-Match': '"1e999"' },
  { 'If-Match': 'W/"1", "2"' },
  { 'If-None-Match': `"${'x'.repeat(2_000)}"` },
  { 'Idempotency-Key': '\u00e9'.repeat(500) },
  { Accept: 'text/html' },
  { Range: 'bytes=-1' },
  { 'Content-Type': 'application/json; charset=utf-16' },
  { 'Content-Type': 'application/x-www-form-urlencoded' },
  { 'X-Request-Id': '"},{"event":"forged' },
  { 'X-Forwarded-For': '127.0.0.1', 'X-HTTP-Method-Override': 'DELETE' },
  { 'User-Agent': '\u00ff'.repeat(3_000) },
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
  /** Ids that answers have told. */
  readonly ids: readonly string[];
  readonly emails: readonly string[];
}

const idFor = ({ random, ids }: Chance): string => (ids.length > 0 ? pick(random, ids) : newId());

function textFor(chance: Chance, schema: Schema): string {
  const { random, ids, emails } = chance;
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

/** A value that fits a schema. */
function validValue(chance: Chance, schema: Schema): unknown {
  const { random } = chance;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return pick(random, schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return validValue(chance, pick(random, choices));
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((part) => validValue(chance, part) as object)) as object;
  const type = typeof schema.type === 'object' ? pick(random, schema.type) : schema.type;
  if (type === 'string') return textFor(chance, schema);
  if (type === 'boolean') return random() < 0.5;
  if (type === 'null') return null;
  if (type === 'integer' || type === 'number') {
    const { minimum = 0, maximum = 1_000 } = schema;
    return Math.floor(minimum + random() * (Math.min(maximum, minimum + 1_000) - minimum));
  }
  if (type === 'array')
    return Array.from({ length: below(random, 3) }, () => validValue(chance, schema.items ?? {}));
  if (type === 'object' || schema.properties) {
    const { properties = {}, required = [] } = schema;
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([key]) => required.includes(key) || random() < (key === 'setupToken' ? 0.1 : 0.6))
        .map(([key, part]) => [key, validValue(chance, part)]),
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
        ? validValue(chance, schema)
        : pick(random, aim === 'near' ? nearlyRight : hostileValues);
    query.append(name, (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 4_000));
  }
  return `/api${filled}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

/** The headers that an operation takes, each left out at times. */
function headersFor({ random }: Chance, aim: Aim, { parameters = [] }: Operation): Record<string, string> {
  if (aim === 'hostile' && random() < 0.3) return { ...pick(random, hostileHeaders) };
  const valid: Readonly<Record<string, string>> = {
    'If-Match': '"1"',
    'If-None-Match': '"1"',
    'Idempotency-Key': newId(),
    Draft: newId(),
  };
  const nearly = ['"0"', 'W/"1"', '*', '"1", "2"', 'x', 'a key', '12345678'];
  return Object.fromEntries(
    parameters
      .filter(({ in: place, name }) => place === 'header' && name in valid && random() < 0.7)
      .map(({ name }) => [name, aim === 'valid' ? (valid[name] ?? '') : pick(random, nearly)]),
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
