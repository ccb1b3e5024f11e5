/**
 * The id of an added record. It is derived from the idempotency key, because a client may add the record again if the
 * response was lost.
 */
import { createHash } from 'node:crypto';
import { newId } from '#contract/ids.ts';

/** A UUIDv7 key, which our own forms send. Its first 48 bits are the time. */
const timedKey = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;

/**
 * Returns the same id for the same key, person and section, so every isolate finds the existing record. Returns a new
 * id if there is no key. With a UUIDv7 key, the id contains the key's time. With any other key, the id is a UUIDv8 (RFC
 * 9562, 5.7 and 5.8).
 * @param added who adds the record, and where
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
