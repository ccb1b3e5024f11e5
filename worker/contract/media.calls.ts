/** The call that uploads a picture. The other calls about pictures belong to their section. */
import * as z from 'zod';
import type { CallTable } from './call.ts';
import { sections } from './sections/index.ts';
import { id } from './schemas.ts';

const fields = Object.keys(sections.media.fields) as (keyof typeof sections.media.fields)[];

export const mediaCalls = {
  'POST /media': {
    about:
      'Uploads a picture (`file`) with its description (`alt`): PNG, JPEG, WebP, GIF or SVG, at most 10 MiB.',
    who: 'content',
    accepts: 'file',
    answer: z.strictObject({
      _id: id,
      ...(Object.fromEntries(fields.map((field) => [field, z.string()])) as Record<
        (typeof fields)[number],
        z.ZodString
      >),
    }),
    status: 201,
  },
} as const satisfies CallTable;
