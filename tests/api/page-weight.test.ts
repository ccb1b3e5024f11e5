/** What a public page may weigh: the rest of `npm run bench -- bytes` depends on the machine, this does not. */
import { expect, inject, test } from 'vitest';
import { contentPages } from '#contract/screens.ts';
import { compressLikeEdge } from '../bench/edge.ts';

/** One round trip of a new connection carries so much. */
const mostHtml = 14_000;
const mostScript = 2_000;

const scripts =
  /<script(?![^>]*\btype="(?:application\/ld\+json|speculationrules)")([^>]*)>([\s\S]*?)<\/script>/g;

test.each(contentPages.map(({ pattern }) => pattern))(
  '%s is small, and runs no file at once',
  async (path) => {
    const html = await (await fetch(new URL(path, inject('systemUrl')))).text();
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
