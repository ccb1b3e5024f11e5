/** The firm's logo in mails. */
import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod';
import { jpegPath, smallerWidths, variantPath } from '#contract/media.ts';
import { contentTables } from '../db/content-tables.ts';
import type { MailLogo } from './layout.ts';

/** The maximum size of a logo in a mail, in px. */
const largest = { width: 240, height: 48 } as const;

const { logo, media } = contentTables;

/** A query for the picture of the logo, as JSON; null for an SVG, which mail clients do not show. */
export const logoQuery: SQL<string | null> = sql`(
  SELECT json_object('path', ${media.path}, 'width', ${media.width}, 'height', ${media.height})
  FROM ${logo} JOIN ${media} ON ${media.path} = ${logo.logo}
  WHERE ${media.type} <> 'image/svg+xml' LIMIT 1)`;

const pixels = z.coerce.number().int().positive();
const picture = z.object({ path: z.string(), width: pixels, height: pixels });

/** The logo to show. @param found the result of `logoQuery` @param siteUrl without a trailing slash */
export function mailLogoOf(found: string | null, siteUrl: string): MailLogo | undefined {
  if (found === null) return undefined;
  const { success, data } = picture.safeParse(JSON.parse(found));
  if (!success) return undefined;
  const { path, width, height } = data;
  const scale = Math.min(1, largest.width / width, largest.height / height);
  // Even the smallest variant is sharp on high-density screens.
  const [smallest] = smallerWidths(width);
  return {
    src: siteUrl + jpegPath(smallest === undefined ? path : variantPath(path, smallest)),
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}
