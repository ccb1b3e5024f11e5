/** Record ids are UUIDv7 strings (RFC 9562), so that they sort by creation time and cannot be guessed. */

/** The source of a regular expression for ids, for use inside other patterns. */
export const idPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

const wholeId = new RegExp(`^${idPattern}$`);

export const isId = (text: string): boolean => wholeId.test(text);

/** Bytes as lowercase hexadecimal digits. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A prefix that sorts before all ids created at or after a time, and after all earlier ids. @param at time in ms */
export function firstIdAt(at: number): string {
  const digits = at.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-`;
}

/** When an id was created, in ms. */
export const timeOfId = (id: string): number => parseInt(`${id.slice(0, 8)}${id.slice(9, 13)}`, 16);

/** A new UUIDv7: 48 bits of Unix time in ms, then 74 random bits. @param now time in ms */
export function newId(now: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(now / 2 ** 32));
  view.setUint32(2, now >>> 0);
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x70);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
  const hex = toHex(bytes);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
