/**
 * Receives uploaded pictures. Handles only a few at a time to limit memory, and accepts each completely or not at all.
 */
import { maxMediaBytes } from '#contract/media.ts';
import { addSchema, updateSchema } from '#contract/fields.ts';
import { sections } from '#contract/sections/index.ts';
import { addRecord, type Edit } from '../content/edits.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { check, readBytes } from '../http/body.ts';
import { ApiError, badRequest, invalid, unavailable } from '../http/errors.ts';
import { createSemaphore } from '../http/semaphore.ts';
import { fetchPicture } from './fetch-picture.ts';
import { storeMedia } from './store.ts';

/**
 * How many uploads an isolate handles at a time. While its form is parsed, an upload is in memory up to three times. An
 * isolate has 128 MiB.
 */
const atOnce = 2;
const underWay = createSemaphore<Request>();

/** How much a body may contain besides the file, in bytes. */
const besideFile = 64 * 1024;

interface Deps {
  readonly env: Pick<Env, 'FILES' | 'IMAGES'>;
  readonly db: Database;
}

const tooLarge = () => new ApiError(413, 'This file is too large: at most 10 MB can be uploaded.');

/** @throws ApiError 400 if it is malformed or cut off, 413 if it is too large */
async function readForm(request: Request): Promise<FormData> {
  const body = await readBytes(request, maxMediaBytes + besideFile, tooLarge);
  if (body.length < Number(request.headers.get('Content-Length') ?? 0))
    throw badRequest('The upload was cut off.');
  const headers = { 'Content-Type': request.headers.get('Content-Type') ?? '' };
  try {
    return await new Response(body, { headers }).formData();
  } catch {
    throw badRequest('The body is not valid multipart/form-data.');
  }
}

/**
 * Reads an upload. Only the bytes stay in memory after this function returns, so the file is then in memory only once.
 * @throws ApiError 400 if it is malformed or cut off, 413 if it is too large, 422 if there is no file
 */
async function readUpload(request: Request) {
  const form = await readForm(request);
  const [file, alt] = [form.get('file'), form.get('alt')];
  if (!(file instanceof File)) throw invalid({ file: 'Choose a file.' });
  if (file.size > maxMediaBytes) throw tooLarge();
  return {
    alt: typeof alt === 'string' ? alt : '',
    // Browsers send a quotation mark in a file name as %22.
    name: file.name.replaceAll('%22', '"').slice(-200),
    type: file.type,
    bytes: new Uint8Array(await file.arrayBuffer()),
  };
}

/** @throws ApiError 503 if too many uploads are in progress */
async function inPlace(request: Request, receive: () => Promise<Edit>): Promise<Edit> {
  if (underWay.holders().length < atOnce) return underWay.holdWhile(request, receive);
  await request.body?.cancel();
  throw unavailable('Several pictures are being uploaded right now. Please try again in a moment.');
}

/** @returns the edit that adds its record */
async function storePicture({ env, db }: Deps, alt: string, file: Parameters<typeof storeMedia>[2]) {
  const { id, values } = await storeMedia(env, db, file);
  return addRecord('media', check(addSchema(sections.media), { alt, ...values }), id);
}

/**
 * Fetches a picture from another site and stores it.
 * @param request identifies the call among those in progress
 * @param hosts the host names that the caller listed
 * @returns the edit that adds its record
 * @throws ApiError 422 that says why we do not accept it, 503 if too many are in progress
 */
export const receiveFromAddress = (
  request: Request,
  deps: Deps,
  { address, hosts }: { readonly address: string; readonly hosts: readonly string[] },
): Promise<Edit> => inPlace(request, async () => storePicture(deps, '', await fetchPicture(address, hosts)));

/**
 * Stores the file of an upload.
 * @returns the edit that adds its record
 * @throws ApiError 400, 413 or 422 that says what is wrong with the file, 503 if too many uploads are in progress
 */
export const receiveMedia = (request: Request, deps: Deps): Promise<Edit> =>
  inPlace(request, async () => {
    const { alt, ...file } = await readUpload(request);
    // Check what a person entered before storing anything.
    check(updateSchema(sections.media), { alt });
    return storePicture(deps, alt, file);
  });
