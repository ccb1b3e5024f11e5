/** The firm's brand in emails: its name, its color, and its logo. */
import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod';
import { defaultAccent, isHexColor } from '#contract/colors.ts';
import { jpegPath, smallerWidths, variantPath } from '#contract/media.ts';
import { contentTables } from '../db/content-tables.ts';
import type { MailBrand, MailLogo } from './layout.ts';

/** The maximum size at which an email shows a logo, in px. */
const largest = { width: 240, height: 48 } as const;

const { brand, logo, media } = contentTables;

/** The query for the brand as JSON. The logo is absent if it is an SVG, which mail clients do not show. */
export const brandQuery: SQL<string> = sql`(
  SELECT json_object(
    'name', (SELECT ${brand.name} FROM ${brand} LIMIT 1),
    'accent', (SELECT ${brand.accentColor} FROM ${brand} LIMIT 1),
    'logo', (
      SELECT json_object('path', ${media.path}, 'width', ${media.width}, 'height', ${media.height})
      FROM ${logo} JOIN ${media} ON ${media.path} = ${logo.logo}
      WHERE ${media.type} <> 'image/svg+xml' LIMIT 1)))`;

const pixels = z.coerce.number().int().positive();
const found = z.object({
  name: z.string().nullable(),
  accent: z.string().refine(isHexColor).catch(defaultAccent),
  logo: z.object({ path: z.string(), width: pixels, height: pixels }).nullable().catch(null),
});

function logoOf(
  { path, width, height }: { path: string; width: number; height: number },
  siteUrl: string,
): MailLogo {
  const scale = Math.min(1, largest.width / width, largest.height / height);
  // Even the smallest variant is sharp on high-resolution screens.
  const [smallest] = smallerWidths(width);
  return {
    src: siteUrl + jpegPath(smallest === undefined ? path : variantPath(path, smallest)),
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/**
 * The brand that emails show. A firm without a name is named after the host of its site.
 * @param json the result of `brandQuery` @param siteUrl without a trailing slash
 */
export function mailBrandOf(json: string, siteUrl: string): MailBrand {
  const { name, accent, logo: picture } = found.parse(JSON.parse(json));
  return {
    // A name must be one line, because it is used in a mail header.
    name: (name ?? '').replace(/\s+/g, ' ').trim() || new URL(siteUrl).hostname,
    accent,
    logo: picture ? logoOf(picture, siteUrl) : undefined,
  };
}
