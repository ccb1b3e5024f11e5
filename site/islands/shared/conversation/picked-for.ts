/**
 * For which form of an order a file was picked (the next message, a step, the delivery), as this tab remembers it until the file
 * is sent, taken back, or its sender signs out: the server knows of unsent files whose they are, and not what for.
 */
import type { OrderFile } from '#contract/conversations.ts';
import { keptPrefix, readKept } from '../use-kept-fields.ts';

const prefix = `${keptPrefix}file `;

export function rememberFile(orderId: string, form: string, file: OrderFile): void {
  sessionStorage.setItem(`${prefix}${file._id}`, JSON.stringify({ orderId, form, file }));
}

export function forgetFiles(ids: readonly string[]): void {
  for (const id of ids) sessionStorage.removeItem(`${prefix}${id}`);
}

/** The form that a file was picked for in this tab; undefined for one that came from elsewhere. */
export const formOf = (id: string): unknown => readKept(`${prefix}${id}`)['form'];

/** The files that were picked for a form of an order in this tab, and not sent since, oldest first. */
export const filesFor = (orderId: string, form: string): readonly OrderFile[] =>
  Object.keys(sessionStorage)
    .filter((key) => key.startsWith(prefix))
    .toSorted()
    .map(readKept)
    .filter((kept) => kept['orderId'] === orderId && kept['form'] === form)
    .map(({ file }) => file as OrderFile);

const givenUpPrefix = `${keptPrefix}given up `;

/** Notes that an upload was given up, which the server may have whole by now: whenever it shows up, it is taken back. */
export const noteGivenUp = (key: string): void => sessionStorage.setItem(`${givenUpPrefix}${key}`, '');

export const isGivenUp = (key: string): boolean => sessionStorage.getItem(`${givenUpPrefix}${key}`) !== null;
