/**
 * How large a public page may be. Unlike the rest of `npm run bench -- bytes`, these figures do not depend on the
 * machine.
 */
import { build } from 'esbuild';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import { contentPages } from '#contract/screens.ts';
import { compressLikeEdge, mostPictures } from '../bench/edge.ts';
import { fetchAlone } from '../support/visitor.ts';

/** The most that one round trip of a new connection carries. */
const mostHtml = 14_000;
const mostScript = 2_000;
/** Before compression. */
const mostStrength = 1_000;

const scripts =
  /<script(?![^>]*\btype="(?:application\/ld\+json|speculationrules)")([^>]*)>([\s\S]*?)<\/script>/g;

test.each(contentPages.map(({ pattern }) => pattern))(
  '%s is small, and loads no script or style file at first',
  async (path) => {
    const html = await (await fetchAlone(new URL(path, sharedSystem.url))).text();
    const running = Array.from(html.matchAll(scripts), ([, attributes = '', code = '']) => ({
      attributes,
      code,
    }));
    expect(running.filter(({ attributes }) => attributes.includes('src='))).toEqual([]);
    expect(html).not.toMatch(/<link[^>]*rel="stylesheet"/);
    const code = running.map((script) => script.code).join('\n');
    expect((await compressLikeEdge(code)).byteLength).toBeLessThanOrEqual(mostScript);
    expect((await compressLikeEdge(html)).byteLength).toBeLessThanOrEqual(mostHtml);
  },
);

/** Every picture that a page may load at some window size, including `<source>` and `srcset`, each file once. */
function picturesOf(html: string): ReadonlySet<string> {
  const values = Array.from(html.matchAll(/<(?:img|source)\b[^>]*>/g)).flatMap(([tag]) => {
    const [, src = ''] = /\ssrc="([^"]*)"/.exec(tag) ?? [];
    const [, set = ''] = /\ssrcset="([^"]*)"/i.exec(tag) ?? [];
    return [src, ...set.split(',').map((candidate) => candidate.trim().split(' ')[0] ?? '')];
  });
  return new Set(values.map((value) => value.replace(/#.*/, '')).filter((value) => value !== ''));
}

test('The pictures of the landing page are small, on a phone and on a desktop', async () => {
  const read = (path: string) => fetchAlone(new URL(path, sharedSystem.url));
  const pictures = picturesOf(await (await read('/')).text());
  expect(pictures.size).toBeGreaterThan(1);
  let bytes = 0;
  for (const path of pictures) {
    const answer = await read(path);
    expect(answer.status, path).toBe(200);
    const body = new Uint8Array(await answer.arrayBuffer());
    const isText = answer.headers.get('Content-Type')?.startsWith('image/svg') === true;
    bytes += isText ? (await compressLikeEdge(body)).byteLength : body.byteLength;
  }
  expect(bytes).toBeLessThanOrEqual(mostPictures);
});

test('Checking a new password while it is typed needs no library', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { strengthOf } from '#contract/password-rules.ts';",
      resolveDir: join(import.meta.dirname, '../..'),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const weighs = outputFiles[0]?.contents.byteLength ?? 0;
  expect(weighs).toBeGreaterThan(100);
  expect(weighs).toBeLessThanOrEqual(mostStrength);
});
