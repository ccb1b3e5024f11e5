/** The content of the static build: one snapshot of the database. Worker and browser never load this file. */
import { createClient } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import { withFirmName } from '#contract/brand.ts';
import type { PublicContent } from '#contract/sections/index.ts';
import { publicContentOf, readWholeContent } from '#worker/content/reader.ts';

let read: Promise<PublicContent> | undefined;

/** The content for the deployed pages, read only once. */
export const readBuildContent = (): Promise<PublicContent> => (read ??= readContent());

/**
 * Reads the content for the deployed pages.
 * @throws if the database cannot be read or does not contain exactly three packages, because a build without them
 *   must not be deployed
 */
async function readContent(): Promise<PublicContent> {
  const url = process.env['TURSO_DATABASE_URL'];
  const authToken = process.env['TURSO_AUTH_TOKEN'];
  if (!url) throw new Error('TURSO_DATABASE_URL is not set: the build reads the content from the database.');
  const client = createClient({ url, ...(authToken && { authToken }) });
  try {
    const content = withFirmName(publicContentOf(await readWholeContent(drizzle(client))));
    if (content.pricingPackage.length !== 3)
      throw new Error(
        `The database holds ${String(content.pricingPackage.length)} packages; a site has three.`,
      );
    return content;
  } finally {
    client.close();
  }
}
