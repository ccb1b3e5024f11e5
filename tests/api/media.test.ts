/** Pictures in the library: which are accepted and refused, how pages show them, and that nothing is left behind. */
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { sectionNames, type RecordOf } from '#contract/sections/index.ts';
import { mediaPath, readMediaPath } from '#contract/media.ts';
import { newId } from '#contract/ids.ts';
import { restoreRevision } from '#worker/content/restore.ts';
import type { StoredContent } from '#worker/content/stored.ts';
import { contentHistory } from '#worker/content/schema.ts';
import { jobRuns } from '#worker/operations/schema.ts';
import type { Database } from '#worker/db/client.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { inspect } from '#worker/media/inspect.ts';
import { pictureTypeOf } from '#worker/media/picture-type.ts';
import { keyOfPath, originalKey, storeMedia } from '#worker/media/store.ts';
import { answerPicture, readPicture } from '#worker/media/serve.ts';
import { sweepMedia } from '#worker/media/sweep.ts';
import { openBucket } from '../support/bucket.ts';
import { firstRecord } from '../support/content.ts';
import { addChange, beginRelease } from '../support/releases.ts';
import { gif, jpeg, png, svg, svgWith, uploadPicture } from '../support/pictures.ts';
import { openSystem } from '../support/in-process-system.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { fetchAlone, signInAdministrator } from '../support/visitor.ts';

type Media = RecordOf<'media'>;

interface Upload {
  readonly status: number;
  readonly detail: string;
  readonly record: Media;
}

const system = await openSystem();
const administrator = await signInAdministrator(system.url);
afterAll(() => system.stop());

async function upload(bytes: Uint8Array<ArrayBuffer>, name: string, type = '', alt = ''): Promise<Upload> {
  const answer = await uploadPicture(administrator, bytes, name, { type, alt });
  const json = answer.json as Media & { readonly detail?: string };
  return { status: answer.status, detail: json.detail ?? '', record: json };
}

const fetchFile = (path: string, init: RequestInit = {}) => fetchAlone(new URL(path, system.url), init);

/** Width and height of a WebP file with lossy or extended pixels. */
function sizeOfWebp(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const kind = String.fromCharCode(...bytes.subarray(12, 16));
  return kind === 'VP8X' ? view.getUint16(24, true) + 1 : view.getUint16(26, true) & 0x3fff;
}

test('A photo is stored in the widths that pages need, as WebP, and without the personal metadata of its file', async () => {
  const secret = 'Comment\0taken at 41.8781 N, 87.6298 W';
  const { status, record } = await upload(
    png(2_400, 600, { tEXt: secret }),
    'Our Office é.png',
    'image/png',
    'Our office',
  );
  expect(status).toBe(201);
  expect(record).toMatchObject({
    alt: 'Our office',
    focus: 'center',
    type: 'image/png',
    width: '1920',
    height: '480',
  });
  expect(record.path).toMatch(new RegExp(`^/media/${record._id}/our-office-e-[0-9a-f]{24}\\.webp$`));
  for (const [path, width] of [
    [record.path, 1920],
    ...[480, 960, 1440].map((each) => [record.path.replace('.webp', `-${String(each)}.webp`), each] as const),
  ] as const) {
    const file = await fetchFile(path);
    expect([file.status, file.headers.get('Content-Type')], path).toEqual([200, 'image/webp']);
    expect(file.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    // An email shows the firm's logo in every mail client.
    expect(file.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    const bytes = new Uint8Array(await file.arrayBuffer());
    expect(sizeOfWebp(bytes), path).toBe(width);
    expect(new TextDecoder('latin1').decode(bytes)).not.toContain('41.8781');
    const again = await fetchFile(path, { headers: { 'If-None-Match': file.headers.get('ETag') ?? '' } });
    expect(again.status).toBe(304);
  }
  // The original, which contains more, is served under no name.
  for (const ending of ['svg', 'png'])
    expect((await fetchFile(record.path.replace('.webp', `.${ending}`))).status).toBe(404);
  // Programs that may not read WebP get a JPEG of each width.
  for (const path of [record.path.replace('.webp', '.jpg'), record.path.replace('.webp', '-480.jpg')]) {
    const file = await fetchFile(path);
    expect([file.status, file.headers.get('Content-Type')], path).toEqual([200, 'image/jpeg']);
    expect(pictureTypeOf(new Uint8Array(await file.arrayBuffer())), path).toBe('image/jpeg');
  }
  expect((await fetchFile(record.path.replace('.webp', '-481.jpg'))).status).toBe(404);
  // A small picture keeps its width.
  const small = (await upload(png(600, 300), 'small.png')).record;
  expect([small.width, small.height]).toEqual(['600', '300']);
  expect((await fetchFile(small.path.replace('.webp', '-480.webp'))).status).toBe(200);
  expect((await fetchFile(small.path.replace('.webp', '-960.webp'))).status).toBe(404);
});

test('JPEG and GIF are accepted, and a second upload of the same file works like the first', async () => {
  expect((await upload(jpeg(), 'one.jpeg', 'image/jpeg')).record).toMatchObject({
    type: 'image/jpeg',
    width: '1',
  });
  const first = await upload(gif(3), 'one.gif', 'image/gif');
  const second = await upload(gif(3), 'two.gif', 'image/gif');
  for (const { record } of [first, second]) {
    const file = await fetchFile(record.path);
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(gif(3));
  }
});

test('An SVG is served unchanged, with a policy that blocks its scripts', async () => {
  const hostile = svg('<script>alert(1)</script><image href="https://evil.example/x.png"/>');
  const { status, record } = await upload(hostile, 'drawing.svg', 'image/svg+xml');
  expect([status, record.width, record.height]).toEqual([201, '40', '30']);
  const file = await fetchFile(record.path);
  const policy = file.headers.get('Content-Security-Policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain('sandbox');
  expect(policy).not.toMatch(/script-src|https:/);
  expect(file.headers.get('X-Content-Type-Options')).toBe('nosniff');
});

test('A file that is both a picture and an HTML page is served as a picture', async () => {
  const page = '<html><script>alert(1)</script></html>';
  const words = Array.from(`/*${page}*/`, (letter) => letter.charCodeAt(0));
  const bytes = gif(1);
  // A comment in the file contains the page: https://www.w3.org/Graphics/GIF/spec-gif89a.txt, section 24
  const both = new Uint8Array([
    ...bytes.slice(0, 19),
    0x21,
    0xfe,
    words.length,
    ...words,
    0,
    ...bytes.slice(19),
  ]);
  const { status, record } = await upload(both, 'page.gif', 'image/gif');
  expect(status).toBe(201);
  const file = await fetchFile(record.path);
  expect([file.headers.get('Content-Type'), file.headers.get('X-Content-Type-Options')]).toEqual([
    'image/gif',
    'nosniff',
  ]);
  expect(file.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  for (const ending of ['html', 'js', 'svg'])
    expect((await fetchFile(record.path.replace('.gif', `.${ending}`))).status).toBe(404);
});

test('The size of an SVG comes from its root element, however its attributes are written', () => {
  for (const [root, before] of [
    [`width='40' height='30'`],
    [`width = "40px" height = '30px' viewBox="0 0 4 3"`],
    [`viewBox='0 0 40 30'`],
    [`aria-label="a > b" viewBox='0,0 40,30'`],
    [`viewBox='0 0 40 30'`, '<?xml version="1.0"?><?xml-stylesheet href="a.css"?>'],
    [`viewBox='0 0 40 30'`, '<!-- not <svg width="9" height="9"> -->'],
  ] as const)
    expect(inspect(svgWith(root, before), 'a.svg', ''), root).toMatchObject({ width: 40, height: 30 });
  const declared = 'Image/SVG+XML; charset=utf-8';
  expect(inspect(svgWith('width="100%"'), 'a.svg', declared).width).toBeUndefined();
});

/** A few bytes that claim to be a hundred million pixels. */
function vast(): Uint8Array<ArrayBuffer> {
  const bytes = png(1, 1);
  for (const at of [16, 20]) new DataView(bytes.buffer).setUint32(at, 11_000);
  return bytes;
}

test('An administrator learns what is wrong with a file', () => {
  const text = (words: string) => new TextEncoder().encode(words);
  for (const [bytes, name, type, sentence] of [
    [text('%PDF-1.7'), 'a.pdf', 'application/pdf', /not a picture/],
    [new Uint8Array(), 'a.png', 'image/png', /empty/],
    [png(40, 40).slice(0, -20), 'a.png', 'image/png', /cut off/],
    [jpeg().slice(0, -3), 'a.jpg', 'image/jpeg', /cut off/],
    [svg().slice(0, -8), 'a.svg', 'image/svg+xml', /cut off/],
    [png(40, 40), 'a.jpg', 'image/jpeg', /it is a PNG/],
    [jpeg(), 'a.jpg', 'image/svg+xml', /it is a JPG/],
    [png(4, 4, { acTL: '\0\0\0\x02\0\0\0\0' }), 'a.png', 'image/png', /animated.*Upload it as a GIF/],
    [
      svgWith('viewBox="0 0 4 3"', '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY ns "http://x/">]>'),
      ...(['a.svg', 'image/svg+xml', /declarations in square brackets/] as const),
    ],
    [text('\0\0\0\x18ftypheic\0\0\0\0mif1'), 'a.heic', 'image/heic', /HEIC photo.*as a JPEG/],
    [text('\0\0\0\x18ftypavif\0\0\0\0mif1'), 'a.avif', 'image/avif', /AVIF picture.*JPEG/],
    [svg('<g>'), 'a.svg', 'image/svg+xml', /cannot draw this SVG. Line 1: unexpected close tag/],
    ...[svgWith('', 'Drawing: '), svgWith('', '<![CDATA[a]]>'), Uint8Array.of(...svg(), 46)].map(
      (bytes) => [bytes, 'a.svg', '', /Line 1: text data outside of root node/] as const,
    ),
    [svg('<desc>caf\xe9</desc>', 'latin1'), 'a.svg', 'image/svg+xml', /not UTF-8/],
    [vast(), 'a.png', 'image/png', /11000 × 11000/],
  ] as const)
    expect(() => inspect(bytes, name, type), String(sentence)).toThrow(sentence);
});

test('A file that is refused gets no record', async () => {
  const damaged = png(40, 40).fill(0xff, 45, 60);
  const before = (await administrator.get('/api/media')).json as readonly Media[];
  for (const [bytes, status, sentence] of [
    [damaged, 422, /damaged/],
    [new Uint8Array(10 * 1024 * 1024 + 1), 413, /10 MB/],
  ] as const)
    expect(await upload(bytes, 'a', '')).toMatchObject({
      status,
      detail: expect.stringMatching(sentence) as string,
    });
  expect((await administrator.get('/api/media')).json).toHaveLength(before.length);
});

test('A page shows a picture with its widths, size, description and focus, and the picture is not removed while it does', async () => {
  const { record } = await upload(png(1_000, 500), 'team.png', 'image/png', 'Our team at work');
  expect((await administrator.put(`/api/media/${record._id}`, { focus: 'top left' })).status).toBe(200);
  const about = await firstRecord(administrator, '/about');
  const show = (aboutImgOne: string) => administrator.put(`/api/update-about/${about._id}`, { aboutImgOne });
  expect((await show(`/media/${newId()}/${'0'.repeat(24)}.webp`)).status).toBe(422);
  expect((await show(record.path)).status).toBe(200);
  const page = await (await fetchFile('/')).text();
  const image = new RegExp(`<img[^>]*src="${record.path}"[^>]*>`).exec(page)?.[0] ?? '';
  // React spells the attribute its own way. Browsers accept either spelling.
  expect(image.toLowerCase()).toContain(`srcset="${record.path.replace('.webp', '-480.webp')} 480w, `);
  for (const part of ['960w', '1000w', 'sizes="', 'width="1000"', 'height="500"', 'alt="Our team at work"'])
    expect(image).toContain(part);
  const [, topLeft] = /\.([\w-]+)\{object-position:(?:top left|left top|0 0)\}/.exec(page) ?? [];
  expect(image).toMatch(new RegExp(`class="[^"]*\\b${topLeft ?? 'a class of that place'}\\b`));

  const refused = await administrator.delete(`/api/media/${record._id}`);
  expect(refused.status).toBe(409);
  expect(refused.json).toMatchObject({
    detail: expect.stringContaining('About') as string,
    uses: [{ section: 'about', recordId: about._id, field: 'aboutImgOne' }],
  });
  expect((await show(about['aboutImgOne'] ?? '')).status).toBe(200);
  // An open release that would show the picture also keeps it.
  const release = await beginRelease(administrator, 'With a picture');
  const values = { aboutImgOne: record.path };
  await addChange(administrator, release._id, {
    section: 'about',
    action: 'update',
    recordId: about._id,
    values,
  });
  const held = await administrator.delete(`/api/media/${record._id}`);
  expect([held.status, (held.json as { detail: string }).detail]).toEqual([
    409,
    expect.stringContaining('the release “With a picture”'),
  ]);
  expect((await administrator.delete(`/api/release/${release._id}`)).status).toBe(204);
  expect((await administrator.delete(`/api/media/${record._id}`)).status).toBe(200);
  // It can be restored, and its file is still there.
  const [removed] = (await administrator.get('/api/removed-records')).json as readonly {
    readonly version: number;
  }[];
  expect(
    (await administrator.post(`/api/history/${record._id}/restore`, { version: removed?.version })).status,
  ).toBe(200);
  expect((await fetchFile(record.path)).status).toBe(200);
});

/** Adds an entry to the history. By default a picture was removed. */
const addHistory = (db: Database, change: Partial<typeof contentHistory.$inferInsert>) =>
  db.insert(contentHistory).values({
    id: newId(),
    revision: 2,
    section: 'media',
    recordId: newId(),
    version: 1,
    action: 'removed',
    at: 1,
    by: '',
    ...change,
  });

test('A restore of an earlier revision keeps the current picture if the file of the old one is gone', async () => {
  const { db, close } = await openTestDatabase();
  onTestFinished(close);
  const picture = newId();
  const lost = mediaPath(picture, 'x.png', 'a'.repeat(24), 'webp');
  const today = { aboutText: 'Today', aboutImgOne: '/today.png' };
  await addHistory(db, {
    section: 'about',
    recordId: 'about',
    action: 'updated',
    before: { aboutText: 'Then', aboutImgOne: lost },
    after: today,
  });
  await addHistory(db, { recordId: picture, before: { name: 'x.png', path: lost } });
  const edit = await restoreRevision(db, 1, () => Promise.resolve(false));
  const empty = Object.fromEntries(sectionNames.map((name) => [name, []])) as unknown as StoredContent;
  const about = [{ _id: 'about', version: 2, position: 0, values: today }];
  const [change, ...others] = edit.changesTo({ ...empty, about });
  expect(others).toEqual([]);
  expect(change?.after?.values).toMatchObject({ aboutText: 'Then', aboutImgOne: '/today.png' });
});

test('Files that no picture needs are deleted, and no others', async () => {
  const dayMs = 86_400_000;
  const now = Date.now();
  const { db, close } = await openTestDatabase();
  const hash = (letter: string) => letter.repeat(24);
  const pathOf = (letter: string) => mediaPath(newId(), 'x.png', hash(letter), 'webp');
  const files = new Map(
    ['a', 'b', 'c', 'd', 'f'].flatMap((letter) =>
      ['original', 'full.webp'].map((file): [string, number] => [
        `media/${hash(letter)}/${file}`,
        letter === 'f' ? now : now - 90 * dayMs,
      ]),
    ),
  );
  const bucket = {
    list: () =>
      Promise.resolve({
        objects: Array.from(files, ([key, at]) => ({ key, uploaded: new Date(at) })),
        truncated: false,
      }),
    delete: (keys: readonly string[]) => {
      for (const key of keys) files.delete(key);
      return Promise.resolve();
    },
  };
  onTestFinished(close);
  const values = { name: 'x.png', type: 'image/png', bytes: '1' };
  // a exists, b was removed recently, c long ago, d never had a record, f is being uploaded.
  await db.insert(contentTables.media).values({ _id: newId(), ...values, path: pathOf('a') });
  for (const [letter, days] of [
    ['b', 3],
    ['c', 40],
  ] as const)
    await addHistory(db, {
      revision: days,
      at: now - days * dayMs,
      before: { ...values, path: pathOf(letter) },
    });
  const sweep = () => sweepMedia({ FILES: bucket as unknown as R2Bucket }, db, () => undefined, now);
  // A recently restored database may lack a picture that a better backup contains.
  await db.insert(jobRuns).values({ name: 'restore', ranAt: now });
  expect(await sweep()).toBe(0);
  await db.update(jobRuns).set({ ranAt: now - 31 * dayMs });
  expect(await sweep()).toBe(4);
  expect([...new Set(Array.from(files.keys(), (key) => key.charAt(6)))]).toEqual(['a', 'b', 'f']);
});

/** A Cloudflare Images that makes the same small picture of every input. */
const output = () => Promise.resolve({ response: () => new Response(png(20, 10)) });
const IMAGES = { input: () => ({ transform: () => ({ output }) }) } as unknown as ImagesBinding;

test('A file that is uploaded again while the sweep deletes its remains stays complete', async () => {
  const { db, close } = await openTestDatabase();
  const later = Date.now() + 40 * 86_400_000;
  const file = { name: 'x.png', type: 'image/png', bytes: png(20, 10) };
  onTestFinished(close);
  for (const isWhole of [true, false]) {
    const files = await openBucket();
    const env = { FILES: files, IMAGES };
    const first = await storeMedia(env, db, file);
    const keysOf = async (values: { readonly path: string }) => {
      const path = readMediaPath(values.path);
      const [original, shown] = path ? [originalKey(path.hash), keyOfPath(path)] : ['', ''];
      return Promise.all([original, shown].map(async (key) => (await files.head(key)) !== null));
    };
    // What a failed upload has left behind.
    if (!isWhole) await files.delete(originalKey(readMediaPath(first.values.path)?.hash ?? ''));
    const again: { readonly values: { readonly path: string } }[] = [];
    const FILES = new Proxy(files, {
      get: (target, name) =>
        name === 'delete'
          ? async (keys: string[]) => {
              again.push(await storeMedia(env, db, file, later));
              await target.delete(keys);
            }
          : (Reflect.get(target, name) as unknown),
    });
    expect(await sweepMedia({ FILES }, db, () => undefined, later)).toBe(isWhole ? 2 : 1);
    expect(await keysOf(first.values)).toEqual([false, false]);
    for (const { values } of again) expect(await keysOf(values)).toEqual([true, true]);
    expect(again).toHaveLength(1);
  }
});

test('The same bytes are stored in one place as long as a picture needs them', async () => {
  const dayMs = 86_400_000;
  const { db, close } = await openTestDatabase();
  const files = await openBucket();
  const now = Date.now();
  const store = async (afterDays: number) => {
    const file = { name: 'x.png', type: 'image/png', bytes: png(20, 10) };
    const stored = await storeMedia({ FILES: files, IMAGES }, db, file, now + afterDays * dayMs);
    return { ...stored, hash: readMediaPath(stored.values.path)?.hash };
  };
  onTestFinished(close);
  const first = await store(0);
  const { name, type, path, bytes } = first.values;
  await db.insert(contentTables.media).values({ _id: first.id, name, type, path, bytes });
  const again = await store(40);
  expect(again.values.path).toContain(first.hash);
  expect((await files.list()).objects).toHaveLength(2);
  // As long as a removed picture can be restored for another day, its files are reused.
  await db.delete(contentTables.media);
  const removed = { name, type, path, bytes };
  await addHistory(db, { recordId: first.id, at: now + 40 * dayMs, before: removed });
  expect((await store(68)).hash).toBe(first.hash);
  expect((await store(69.5)).hash).not.toBe(first.hash);
  expect((await files.list()).objects).toHaveLength(4);
});

test('Only a well-formed path is the path of a picture', () => {
  const id = newId();
  const path = mediaPath(id, '../../Ünser Büro?.JPG', 'ab'.repeat(12), 'webp');
  expect(path).toBe(`/media/${id}/unser-buro-${'ab'.repeat(12)}.webp`);
  expect(readMediaPath(path)).toEqual({ id, hash: 'ab'.repeat(12), width: undefined, ending: 'webp' });
  for (const other of [
    `${path}/..`,
    path.replace('webp', 'html'),
    `/media/${id}/../../pages/x.webp`,
    '/media/x',
  ])
    expect(readMediaPath(other)).toBeUndefined();
});

test('A thousand views of a picture read the bucket once per location', async () => {
  const bucket = await openBucket();
  const path = mediaPath(newId(), 'office.png', 'ab'.repeat(12), 'webp');
  const stored = keyOfPath({ id: '', hash: 'ab'.repeat(12), width: undefined, ending: 'webp' });
  await bucket.put(stored, 'bytes', { httpMetadata: { contentType: 'image/webp' } });
  let reads = 0;
  const kept = new Map<string, { readonly body: ArrayBuffer; readonly headers: Headers }>();
  /** The cached entrypoint, with a cache that stores responses by URL, like Cloudflare's. */
  const cached = {
    fetch: async (request: Request) => {
      const known = kept.get(request.url);
      if (known) return new Response(known.body, known);
      reads += 1;
      const answer = await readPicture(request, { FILES: bucket, IMAGES });
      if (!answer) return new Response(null, { status: 404 });
      expect(answer.headers.get('Cloudflare-CDN-Cache-Control')).toBe('max-age=2592000');
      const body = await answer.arrayBuffer();
      kept.set(request.url, { body, headers: answer.headers });
      return new Response(body, answer);
    },
  };
  const view = (init: RequestInit = {}, query = '') =>
    answerPicture(new Request(`https://site.test${path}${query}`, init), cached);
  for (let count = 0; count < 1_000; count += 1) {
    const headers = { Cookie: `session=${String(count)}`, Accept: `image/avif;q=0.${String(count)}` };
    const answer = await view(
      { headers, method: count % 10 === 0 ? 'HEAD' : 'GET' },
      `?view=${String(count)}`,
    );
    expect([answer?.status, await answer?.text()]).toEqual([200, count % 10 === 0 ? '' : 'bytes']);
  }
  expect(reads).toBe(1);
  const etag = (await view())?.headers.get('ETag') ?? '';
  expect((await view({ headers: { 'If-None-Match': etag } }))?.status).toBe(304);
  // The app answers other requests, and requests for pictures that cannot be read.
  expect(await view({ method: 'POST' })).toBeUndefined();
  await bucket.delete(stored);
  kept.clear();
  expect(await view()).toBeUndefined();
});
