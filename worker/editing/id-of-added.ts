/** The id of a record that is added. The answer may be lost, and the record is then added once more. */
import { createHash } from 'node:crypto';
import { newId } from '#contract/ids.ts';

/**
 * The same id for the same key, person and record, so that each isolate finds the record that is there (UUIDv8, RFC 9562,
 * 5.8); a new id where there is no key.
 * @param added says who adds what
 */
export function idOfAdded(idempotencyKey: string | undefined, added: readonly unknown[]): string {
  if (idempotencyKey === undefined) return newId();
  const text = JSON.stringify([idempotencyKey, ...added]);
  const hex = createHash('sha256').update(text).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
