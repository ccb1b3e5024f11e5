/**
 * Decodes Stripe's form encoding (`card[number]=…&expand[]=…`), and validates it against a call's parameters.
 */
import * as z from 'zod';
import { refuseParameter } from './errors.ts';

type FormValue = string | FormValue[] | { [key: string]: FormValue };
export type Form = Record<string, FormValue>;

type Tree = Map<string, Tree | string>;

/** Decodes `a=1&b[c]=2&d[]=3&e[0]=4` to `{ a: '1', b: { c: '2' }, d: ['3'], e: ['4'] }`; every leaf is a string. */
export function decodeForm(encoded: string): Form {
  const root: Tree = new Map();
  for (const [name, value] of new URLSearchParams(encoded)) insert(root, splitName(name), value);
  return Object.fromEntries([...root].map(([key, child]) => [key, toValue(child)]));
}

/** `card[exp][]` as `['card', 'exp', '']`. */
function splitName(name: string): string[] {
  const [first = '', ...rest] = name.split('[');
  return [first, ...rest.map((part) => part.replace(/\]$/, ''))];
}

function insert(tree: Tree, [part = '', ...rest]: string[], value: string): void {
  const key = part === '' ? String(tree.size) : part;
  if (rest.length === 0) {
    tree.set(key, value);
    return;
  }
  const child = tree.get(key);
  const branch: Tree = child instanceof Map ? child : new Map<string, Tree | string>();
  tree.set(key, branch);
  insert(branch, rest, value);
}

function toValue(node: Tree | string): FormValue {
  if (typeof node === 'string') return node;
  const entries = [...node].map(([key, child]): [string, FormValue] => [key, toValue(child)]);
  const isList = entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** An amount or a count. */
export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, { error: (issue) => `Invalid integer: ${String(issue.input)}` })
  .transform(Number);

/** https://docs.stripe.com/error-codes#email-invalid */
export const emailAddress = z.email({ error: (issue) => `Invalid email address: ${String(issue.input)}` });

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Keys with an empty text are omitted, as at Stripe. */
export const metadata = z
  .record(z.string().min(1).max(40), z.string().max(500))
  .default({})
  .transform((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')));

/**
 * Validates a call's parameters.
 * @throws {StripeFault} 400 that names the first unknown, missing or malformed parameter
 */
export function parseParameters<Shape extends z.ZodRawShape>(shape: Shape, form: Form) {
  const result = z.strictObject(shape).safeParse(form, { reportInput: true });
  if (result.success) return result.data;
  throw toFault(result.error.issues);
}

function toFault(issues: z.core.$ZodIssue[]) {
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown) {
    const param = bracketed([...unknown.path, unknown.keys[0] ?? '']);
    return refuseParameter(`Received unknown parameter: ${param}`, param, 'parameter_unknown');
  }
  const [issue] = issues;
  const param = bracketed(issue?.path ?? []);
  if (issue?.input === undefined)
    return refuseParameter(`Missing required param: ${param}.`, param, 'parameter_missing');
  if (issue.message.startsWith('Invalid integer'))
    return refuseParameter(issue.message, param, 'parameter_invalid_integer');
  if (issue.message.startsWith('Invalid email'))
    return refuseParameter(issue.message, param, 'email_invalid');
  return refuseParameter(`Invalid ${param}: ${issue.message}`, param);
}

function bracketed(path: PropertyKey[]): string {
  return path.map((part, depth) => (depth === 0 ? String(part) : `[${String(part)}]`)).join('');
}
