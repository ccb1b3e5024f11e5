/**
 * The script that replaces Stripe.js, and the pages of its frames. They are built from `browser/` at the first
 * request.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { releaseTrain } from './objects.ts';

const folder = new URL('./browser/', import.meta.url);

async function script(entry: string, offersWallet = false) {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(entry, folder))],
    bundle: true,
    define: { RELEASE_TRAIN: JSON.stringify(releaseTrain), OFFERS_WALLET: String(offersWallet) },
    format: 'iife',
    target: 'es2022',
    write: false,
  });
  return { type: 'text/javascript; charset=utf-8', body: result.outputFiles[0]?.text ?? '' };
}
type BrowserFile = Awaited<ReturnType<typeof script>>;

/** The page of a frame. Its script renders the content. */
const page = (name: string, title: string) =>
  Promise.resolve({
    type: 'text/html; charset=utf-8',
    body: `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <title>${title}</title>
  <link rel="stylesheet" href="/frames/frames.css" />
  <body><script src="/frames/${name}.js"></script></body>
</html>`,
  });

const stylesheet = async () => ({
  type: 'text/css; charset=utf-8',
  body: await readFile(new URL('frames.css', folder), 'utf8'),
});

const makersOf = (offersWallet: boolean): Record<string, () => Promise<BrowserFile>> => ({
  [`/${releaseTrain}/stripe.js`]: () => script('stripe.ts', offersWallet),
  '/frames/card': () => page('card', 'Secure card payment input frame'),
  '/frames/card.js': () => script('card-frame.ts'),
  '/frames/challenge': () => page('challenge', '3D Secure 2 Test Page'),
  '/frames/challenge.js': () => script('challenge.ts'),
  '/frames/wallet': () => page('wallet', 'Test wallet'),
  '/frames/wallet.js': () => script('wallet-frame.ts'),
  '/frames/frames.css': stylesheet,
});

/** Only the emulator's own files and its API. Any page may frame the frames. */
const framePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'";

/**
 * Answers with a file, which it builds once, or with undefined for any other path.
 * @param offersWallet whether browsers have the test wallet, unless their page says otherwise
 */
export function openBrowserFiles(offersWallet: boolean) {
  const makers = makersOf(offersWallet);
  const made = new Map<string, Promise<BrowserFile>>();
  return async (path: string): Promise<Response | undefined> => {
    const make = makers[path];
    if (!make) return undefined;
    const file = made.get(path) ?? make();
    made.set(path, file);
    const { type, body } = await file;
    const headers = {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': framePolicy,
      'Content-Type': type,
      'X-Content-Type-Options': 'nosniff',
    };
    return new Response(body, { headers });
  };
}
