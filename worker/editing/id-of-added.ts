/** The id of a record that is added. The answer may be lost, and the record is then added once more. */
import { createHash } from 'node:crypto';
import { newId } from '#contract/ids.ts';

/** A key that is a UUIDv7, as our own forms send it: its first 48 bits are the time. */
const timedKey = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;

/**
 * The same id for the same key, person and section, so that each isolate finds the record that is there; a new id where
 * there is no key. It has the time of a key that tells one, and is a UUIDv8 for any other (RFC 9562, 5.7 and 5.8).
 * @param added says who adds, and where
 */
export function idOfAdded(idempotencyKey: string | undefined, added: readonly unknown[]): string {
  if (idempotencyKey === undefined) return newId();
  const text = JSON.stringify([idempotencyKey, ...added]);
  const hex = createHash('sha256').update(text).digest('hex');
  const [, high, low] = timedKey.exec(idempotencyKey) ?? [];
  const [time, version] =
    high && low ? [`${high}-${low}`, '7'] : [`${hex.slice(0, 8)}-${hex.slice(8, 12)}`, '8'];
  return [time, `${version}${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}
