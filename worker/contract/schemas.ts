/** Schemas shared by the calls of several features. */
import * as z from 'zod';
import type { Output } from './call.ts';
import { withoutHidden } from './field-problems.ts';
import { idPattern } from './ids.ts';
import { maxPage, maxPageSize } from './paging.ts';

export const id = z.string().regex(new RegExp(`^${idPattern}$`));

/** A time: ISO 8601, UTC. */
export const moment = z.iso.datetime();

/** A day: YYYY-MM-DD. */
export const day = z.iso.date({ error: 'Give a day as YYYY-MM-DD.' });

/** A month: YYYY-MM. */
export const month = z
  .string({ error: 'Give a month as YYYY-MM.' })
  .regex(/^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$/, 'Give a month as YYYY-MM.');

export const values = z.record(z.string(), z.string());

/**
 * Formats the number only when there is an error, because the first call of toLocaleString takes 10 ms in a new
 * isolate.
 */
const tooLong = (most: number) => ({
  error: () => `At most ${most.toLocaleString('en-US')} characters.`,
});

/** Required text, with line breaks. @param required the error if it is missing */
export const text = (required: string, most: number, clean = withoutHidden) =>
  z.string({ error: required }).overwrite(clean).trim().min(1, required).max(most, tooLong(most));

/** Text that may be empty, with line breaks. */
export const optionalText = (most: number, error = 'Send text.', clean = withoutHidden) =>
  z.string({ error }).overwrite(clean).trim().max(most, tooLong(most));

/** Line breaks become spaces. Otherwise a name could add its own line to an email about it. */
export const inOneLine = (typed: string): string => withoutHidden(typed).replaceAll(/\n+/g, ' ');

/** One required line of text. @param required the error if it is missing */
export const line = (required: string, most: number) => text(required, most, inOneLine);

/** One line of text that may be empty. */
export const optionalLine = (most: number) => optionalText(most, undefined, inOneLine);

/** A part of an address. Whoever wrote the link that a visitor followed chose it. */
const part = (most: number) => z.string().overwrite(inOneLine).max(most);
const word = part(100).optional();

/** Where a visitor came from, as their browser stored it (`source.ts`). Contains no ids. */
export const source = z.strictObject({
  /** The path of the first page of the visit. */
  page: part(300),
  /** The host of the site that linked there; empty if none did. */
  referrer: part(253),
  utm_source: word,
  utm_medium: word,
  utm_campaign: word,
  utm_term: word,
  utm_content: word,
});
export type Source = Output<typeof source>;

const counting = (most: number) => {
  const error = `Give a whole number from 1 to ${most}.`;
  return z.coerce.number({ error }).int(error).min(1, error).max(most, error);
};

/** `page` counts from 1. The default is the newest 100 records. */
export const pageQuery = z.strictObject({
  page: counting(maxPage).default(1),
  pageSize: counting(maxPageSize).default(maxPageSize),
});
export type PageQuery = Output<typeof pageQuery>;

/** All ids of a list in a new order. */
export const reordering = z.strictObject({ order: z.array(z.string()).max(10_000) });

/** A staff member as other staff see them. */
export const staffMember = z.strictObject({
  /** The id of their account. */
  _id: id,
  /** Their name, or their email if they gave none. */
  name: z.string(),
});
export type StaffMember = Output<typeof staffMember>;

/** A query parameter that is `true` or absent. */
export const flag = (name: string) =>
  z.literal('true', { error: `Send ${name}=true or leave it out.` }).optional();

/** With `?own=true`, staff get only their own records, like any customer. */
export const own = flag('own');

/** With `?mine=true`, only records assigned to the caller. */
export const mine = flag('mine');

export const searched = z.string().trim().max(200, 'At most 200 characters.');

/** The token for setting up the site while there is no administrator. */
export const setupToken = z.string().trim().max(256);
