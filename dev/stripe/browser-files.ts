/**
 * The script that replaces Stripe.js, and the pages of its frames. They are built from `browser/` at the first request.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { releaseTrain } from './objects.ts';

const folder = new URL('./browser/', import.meta.url);

async function script(name: string, offersWallet = false): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, folder))],
    bundle: true,
    define: { RELEASE_TRAIN: JSON.stringify(releaseTrain), OFFERS_WALLET: String(offersWallet) },
    format: 'iife',
    target: 'es2022',
    write: false,
  });
  return result.outputFiles[0]?.text ?? '';
}

/** The page of a frame. Its script renders the content. */
const page = (name: string, title: string) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <title>${title}</title>
  <link rel="stylesheet" href="/frames/frames.css" />
  <body><script src="/frames/${name}.js"></script></body>
</html>`;

const titles: Record<string, string> = {
  card: 'Secure card payment input frame',
  challenge: '3D Secure 2 Test Page',
  wallet: 'Test wallet',
};

/** Only the emulator's own files and its API. Any page may embed the frames. */
const framePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'";

/**
 * Responds with a file, which is built once, or with undefined for any other path.
 * @param offersWallet whether browsers have the test wallet, unless their page says otherwise
 */
export function openBrowserFiles(offersWallet: boolean) {
  const scripts = new Map<string, Promise<string>>();
  function scriptOnce(name: string): Promise<string> {
    const made = scripts.get(name) ?? script(name, offersWallet);
    scripts.set(name, made);
    return made;
  }

  async function read(path: string): Promise<[type: string, body: string] | undefined> {
    if (path === `/${releaseTrain}/stripe.js`) return ['text/javascript', await scriptOnce('stripe')];
    if (path === '/frames/frames.css')
      return ['text/css', await readFile(new URL('frames.css', folder), 'utf8')];
    const [, name = '', isScript] = /^\/frames\/(\w+)(\.js)?$/.exec(path) ?? [];
    const title = titles[name];
    if (title === undefined) return undefined;
    return isScript ? ['text/javascript', await scriptOnce(name)] : ['text/html', page(name, title)];
  }

  return async (path: string): Promise<Response | undefined> => {
    const file = await read(path);
    if (!file) return undefined;
    const [type, body] = file;
    const headers = {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': framePolicy,
      'Content-Type': `${type}; charset=utf-8`,
      'X-Content-Type-Options': 'nosniff',
    };
    return new Response(body, { headers });
  };
}
