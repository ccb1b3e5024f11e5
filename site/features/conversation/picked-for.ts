/**
 * Remembers in this tab which form of an order a file was picked for: the next message, a step, or the delivery. The
 * server knows who uploaded an unsent file, but not for which form. The tab forgets the file once it is sent or
 * deleted, or its sender signs out.
 */
import type { OrderFile } from '#contract/conversations.calls.ts';
import { keptPrefix, readKept } from '#site/app/use-session-fields.ts';

const prefix = `${keptPrefix}file `;

export function rememberFile(orderId: string, form: string, file: OrderFile): void {
  sessionStorage.setItem(`${prefix}${file._id}`, JSON.stringify({ orderId, form, file }));
}

export function forgetFiles(ids: readonly string[]): void {
  for (const id of ids) sessionStorage.removeItem(`${prefix}${id}`);
}

/** The form that a file was picked for in this tab; undefined for a file from elsewhere. */
export const formOf = (id: string): unknown => readKept(`${prefix}${id}`)['form'];

/** The files that were picked for a form of an order in this tab but are not sent yet, oldest first. */
export const filesFor = (orderId: string, form: string): readonly OrderFile[] =>
  Object.keys(sessionStorage)
    .filter((key) => key.startsWith(prefix))
    .sort()
    .map(readKept)
    .filter((kept) => kept['orderId'] === orderId && kept['form'] === form)
    .map(({ file }) => file as OrderFile);

const givenUpPrefix = `${keptPrefix}given up `;

/** Remembers a cancelled upload. If the server has the whole file, it is deleted as soon as it appears. */
export const markCancelled = (key: string): void => sessionStorage.setItem(`${givenUpPrefix}${key}`, '');

export const isGivenUp = (key: string): boolean => sessionStorage.getItem(`${givenUpPrefix}${key}`) !== null;
