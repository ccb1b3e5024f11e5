/** Converts SQLite's five kinds of value between Hrana's JSON and the engine. */
import { StringDecoder } from 'node:string_decoder';
import * as z from 'zod';

/**
 * A value in the format of the engine. A bigint is an INTEGER and a number is a REAL, which keeps 1 and 1.0 distinct.
 */
export type EngineValue = null | bigint | number | string | Uint8Array;

/** A value on the wire. Integers are decimal text, because JSON numbers lose digits beyond 2^53. */
export type WireValue =
  | { type: 'null' }
  | { type: 'integer'; value: string }
  | { type: 'float'; value: number }
  | { type: 'text'; value: string }
  | { type: 'blob'; base64: string };

const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

const integerText = z
  .string()
  .regex(/^-?\d{1,19}$/, 'An integer is decimal text.')
  .transform((text) => BigInt(text))
  .refine((value) => value >= MIN_INTEGER && value <= MAX_INTEGER, 'An integer has at most 64 bits.');

export const wireValue = z.discriminatedUnion('type', [
  z.object({ type: z.literal('null') }).transform((): EngineValue => null),
  z.object({ type: z.literal('integer'), value: integerText }).transform(({ value }): EngineValue => value),
  z.object({ type: z.literal('float'), value: z.number() }).transform(({ value }): EngineValue => value),
  z.object({ type: z.literal('text'), value: z.string() }).transform(({ value }): EngineValue => value),
  z
    .object({ type: z.literal('blob'), base64: z.base64() })
    .transform(({ base64 }): EngineValue => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))),
]);

/** Converts a value of the engine (with 64-bit integers as bigint) to the wire format. */
export function encodeValue(value: unknown): WireValue {
  if (value === null) return { type: 'null' };
  if (typeof value === 'bigint') return { type: 'integer', value: value.toString() };
  if (typeof value === 'number') return { type: 'float', value };
  if (typeof value === 'string') return { type: 'text', value };
  if (value instanceof Uint8Array) return { type: 'blob', base64: new StringDecoder('base64').end(value) };
  throw new TypeError(`The engine gave a ${typeof value}, which is not an SQLite value.`);
}

const utf8 = new TextEncoder();
const JSON_AROUND_VALUE = '{"type":"text","value":""}'.length;

/**
 * The approximate size of a value in a response, in bytes. A blob counts as its content. Source:
 * libsql-server/src/hrana/result_builder.rs
 */
export function sizeOfValue(wire: WireValue): number {
  if (wire.type === 'blob') return Math.floor((wire.base64.replace(/=+$/, '').length * 3) / 4);
  return JSON_AROUND_VALUE + (wire.type === 'null' ? 0 : utf8.encode(String(wire.value)).length);
}
