/** The calls that add a picture to the library. The other calls about pictures belong to their section. */
import * as z from 'zod';
import type { CallTable } from './call.ts';
import { sections } from './sections/index.ts';
import { id } from './schemas.ts';

const fields = Object.keys(sections.media.fields) as (keyof typeof sections.media.fields)[];
const picture = z.strictObject({
  _id: id,
  ...(Object.fromEntries(fields.map((field) => [field, z.string()])) as Record<
    (typeof fields)[number],
    z.ZodString
  >),
});

export const mediaCalls = {
  'POST /media': {
    about:
      'Uploads a picture (`file`) with its description (`alt`): PNG, JPEG, WebP, GIF or SVG, at most 10 MiB.',
    who: 'content',
    accepts: 'file',
    answer: picture,
    status: 201,
  },
  'POST /media/from-address': {
    about:
      'Fetches a picture for an import, from one of the sites that the caller lists. Only https addresses with a public name are fetched.',
    who: 'content',
    body: z.strictObject({
      address: z.string().max(2_000),
      /** Host names of sites, such as `www.old-site.com`. */
      hosts: z.array(z.string().max(253).toLowerCase()).max(20),
    }),
    answer: picture,
    status: 201,
  },
} as const satisfies CallTable;
