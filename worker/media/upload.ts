/** Receives uploaded pictures: a few at a time, so that memory is bounded, and each completely or not at all. */
import { maxMediaBytes } from '#contract/media.ts';
import { addSchema, updateSchema } from '#contract/fields.ts';
import { sections } from '#contract/sections/index.ts';
import { addRecord, type Edit } from '../content/edits.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { check } from '../http/body.ts';
import { ApiError, invalid, unavailable } from '../http/errors.ts';
import { createSemaphore } from '../http/semaphore.ts';
import { readParts } from './multipart.ts';
import { storeMedia } from './store.ts';

/** How many uploads an isolate handles at a time: each holds its file in memory, of which an isolate has 128 MiB. */
const atOnce = 4;
const underWay = createSemaphore<Request>();

/** Room in the body beside the file, in bytes. */
const besideFile = 64 * 1024;

const tooLarge = () => new ApiError(413, 'This file is too large: at most 10 MB can be uploaded.');

async function receive(request: Request, env: Pick<Env, 'FILES' | 'IMAGES'>, db: Database): Promise<Edit> {
  const parts = await readParts(request, maxMediaBytes + besideFile, tooLarge);
  const file = parts.get('file');
  if (file?.fileName === undefined) throw invalid({ file: 'Choose a file.' });
  if (file.bytes.length > maxMediaBytes) throw tooLarge();
  const alt = new TextDecoder().decode(parts.get('alt')?.bytes);
  const given = { alt, name: file.fileName.slice(-200) };
  // What a person typed is checked before anything is kept.
  check(updateSchema(sections.media), { alt });
  const { id, values } = await storeMedia(env, db, { name: given.name, type: file.type, bytes: file.bytes });
  return addRecord('media', check(addSchema(sections.media), { ...given, ...values }), id);
}

/**
 * Keeps the file of an upload.
 * @returns the edit that adds its record
 * @throws ApiError 400, 413 or 422 that says what is wrong with the file, 503 when too many are under way
 */
export async function receiveMedia(
  request: Request,
  env: Pick<Env, 'FILES' | 'IMAGES'>,
  db: Database,
): Promise<Edit> {
  if (underWay.holders().length >= atOnce) {
    await request.body?.cancel();
    throw unavailable('Several pictures are being uploaded right now. Please try again in a moment.');
  }
  return underWay.holdWhile(request, () => receive(request, env, db));
}
