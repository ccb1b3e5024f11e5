/** The script that stands in for Stripe.js, and the pages of its frames: built from `browser/` when first asked for. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { releaseTrain } from './objects.ts';

export interface BrowserFile {
  type: string;
  body: string;
}

const folder = new URL('./browser/', import.meta.url);

async function bundle(entry: string): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(entry, folder))],
    bundle: true,
    define: { RELEASE_TRAIN: JSON.stringify(releaseTrain) },
    format: 'iife',
    target: 'es2022',
    write: false,
  });
  return result.outputFiles[0]?.text ?? '';
}

const script = async (entry: string) => ({
  type: 'text/javascript; charset=utf-8',
  body: await bundle(entry),
});
const text = async (name: string, type: string) => ({
  type: `${type}; charset=utf-8`,
  body: await readFile(new URL(name, folder), 'utf8'),
});

/** The files by their path. Stripe serves its script under several: `/v3/`, and one for each release train. */
const makers: Record<string, () => Promise<BrowserFile>> = {
  '/v3': () => script('stripe.ts'),
  '/v3/': () => script('stripe.ts'),
  [`/${releaseTrain}/stripe.js`]: () => script('stripe.ts'),
  '/frames/card': () => text('card-frame.html', 'text/html'),
  '/frames/card.js': () => script('card-frame.ts'),
  '/frames/authentication': () => text('authentication-frame.html', 'text/html'),
  '/frames/authentication.js': () => script('authentication-frame.ts'),
  '/frames/challenge': () => text('challenge-frame.html', 'text/html'),
  '/frames/challenge.js': () => script('challenge-frame.ts'),
  '/frames/frames.css': () => text('frames.css', 'text/css'),
};

/** Builds each file once. Answers undefined for a path that is none of them. */
export function openBrowserFiles() {
  const made = new Map<string, Promise<BrowserFile>>();
  return (path: string): Promise<BrowserFile> | undefined => {
    const make = makers[path];
    const file = made.get(path) ?? make?.();
    if (file) made.set(path, file);
    return file;
  };
}

/** The frames' own policy: nothing but their own files and the emulator's API; anybody may frame them. */
export const framePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'";
