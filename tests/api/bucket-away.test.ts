/**
 * The bucket is unavailable: R2 answers every call with an error. People who send, read or remove a file are asked to
 * try again. Nothing incomplete stays in the database, and everything that does not involve files keeps working.
 */
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#contract/ids.ts';
import { mediaPath } from '#contract/media.ts';
import { serveFile, receiveFile, deleteUnsentFile } from '#worker/fulfillment/files.ts';
import { orderFiles } from '#worker/fulfillment/conversation-schema.ts';
import { readPicture } from '#worker/media/serve.ts';
import { storeMedia } from '#worker/media/store.ts';
import { customer, openShop } from './orders-shop.ts';
import { openBucket } from '../support/bucket.ts';
import { openApp, callerOf } from '../support/in-process-app.ts';
import { png } from '../support/pictures.ts';
import { refusalOf } from '../support/refusal.ts';

let isAway = false;

const shop = await openShop();
const fail = () => Promise.reject(new Error('We encountered an internal error. Please try again. (10001)'));
// It fails as https://developers.cloudflare.com/r2/api/error-codes/ describes.
const bucket = new Proxy(await openBucket(), {
  get: (files, name) => (isAway ? fail : (Reflect.get(files, name) as unknown)),
});
const caller = { db: shop.db, env: { ...shop.env, FILES: bucket }, account: customer };
beforeEach(() => {
  isAway = false;
});
afterAll(() => shop.close());

const comeBack = '503 Please try again in a moment.';

const send = (orderId: string) =>
  receiveFile(
    caller,
    orderId,
    { name: 'words.txt', idempotencyKey: undefined },
    new Request('http://site.test', { method: 'POST', body: 'words', headers: { 'Content-Length': '5' } }),
  );

const rowsOf = (orderId: string) => shop.db.$count(orderFiles, eq(orderFiles.orderId, orderId));

test('A file that cannot be stored has no record, and is accepted once the bucket is available', async () => {
  const { _id } = await shop.newOrder();
  isAway = true;
  expect(await refusalOf(() => send(_id))).toEqual(comeBack);
  expect(await rowsOf(_id)).toBe(0);
  isAway = false;
  expect(await refusalOf(() => send(_id))).toBeUndefined();
  expect(await rowsOf(_id)).toBe(1);
});

test('An existing file is served once the bucket is back, and is not reported as deleted', async () => {
  const { _id } = await shop.newOrder();
  const file = await send(_id);
  isAway = true;
  expect(await refusalOf(() => serveFile(caller, file._id))).toEqual(comeBack);
  isAway = false;
  expect((await serveFile(caller, file._id)).status).toBe(200);
});

test('A removed file is immediately gone for everybody, and its bytes are deleted later', async () => {
  const { _id } = await shop.newOrder();
  const file = await send(_id);
  isAway = true;
  expect(await refusalOf(() => deleteUnsentFile(caller, file._id))).toBeUndefined();
  expect(await rowsOf(_id)).toBe(0);
});

test('A picture that cannot be stored gets no record', async () => {
  isAway = true;
  const picture = { name: 'a.png', type: 'image/png', bytes: png(8, 8) };
  expect(await refusalOf(() => storeMedia(caller.env, shop.db, picture))).toEqual(comeBack);
});

test('When Cloudflare Images refuses a picture, only a fault of the picture itself is reported', async () => {
  for (const [code, message, told] of [
    [
      9412,
      'IMAGES_TRANSFORM_ERROR 9412: The origin server returned a non-image',
      expect.stringMatching(/^422 .*is damaged/),
    ],
    [
      9422,
      'IMAGES_TRANSFORM_ERROR 9422: Free unique transformations by account has been exhausted',
      comeBack,
    ],
    [9523, 'Unexpected error response 502: Bad gateway', comeBack],
  ] as const) {
    const output = () => Promise.reject(Object.assign(new Error(message), { code }));
    const env = {
      FILES: { list: () => Promise.resolve({ objects: [] }) } as unknown as R2Bucket,
      IMAGES: { input: () => ({ transform: () => ({ output }) }) } as unknown as ImagesBinding,
    };
    const picture = { name: 'a.png', type: 'image/png', bytes: png(8, 8) };
    expect(await refusalOf(() => storeMedia(env, shop.db, picture)), message).toEqual(told);
  }
});

test('A page’s picture is back as soon as the bucket is, and no cache keeps the failure', async () => {
  const app = openApp();
  app.get('*', async (c) => (await readPicture(c.req.raw, c.env)) ?? c.notFound());
  isAway = true;
  const path = mediaPath(newId(), 'x.png', 'a'.repeat(24), 'webp');
  const answer = await callerOf(app, caller.env).get(path);
  expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([503, null]);
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
});
