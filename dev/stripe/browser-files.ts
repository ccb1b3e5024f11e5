/** The script that stands in for Stripe.js, and the pages of its frames: built from `browser/` when first asked for. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { releaseTrain } from './objects.ts';

const folder = new URL('./browser/', import.meta.url);

async function script(entry: string) {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(entry, folder))],
    bundle: true,
    define: { RELEASE_TRAIN: JSON.stringify(releaseTrain) },
    format: 'iife',
    target: 'es2022',
    write: false,
  });
  return { type: 'text/javascript; charset=utf-8', body: result.outputFiles[0]?.text ?? '' };
}
const text = async (name: string, type: string) => ({
  type: `${type}; charset=utf-8`,
  body: await readFile(new URL(name, folder), 'utf8'),
});
type BrowserFile = Awaited<ReturnType<typeof text>>;

const makers: Record<string, () => Promise<BrowserFile>> = {
  [`/${releaseTrain}/stripe.js`]: () => script('stripe.ts'),
  '/frames/card': () => text('card-frame.html', 'text/html'),
  '/frames/card.js': () => script('card-frame.ts'),
  '/frames/challenge': () => text('challenge.html', 'text/html'),
  '/frames/challenge.js': () => script('challenge.ts'),
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
