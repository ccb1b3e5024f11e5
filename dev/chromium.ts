/** Finds Chromium for the browser tests, and installs Debian's package where there is none. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const installed = () => places.find((place) => place !== undefined && existsSync(place));

/** How Chromium is started everywhere: headless, as root too, and without calls of its own to the network. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The path of an installed Chromium.
 * @throws with what to do, when there is none and it cannot be installed here
 */
export function ensureChromium(): string {
  const found = installed();
  if (found) return found;
  console.log('Installing Chromium (once) …');
  const root = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  for (const command of [
    ['apt-get', 'update', '-qq'],
    ['apt-get', 'install', '-y', '-qq', 'chromium'],
  ]) {
    const [program = '', ...args] = [...root, ...command];
    spawnSync(program, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
  const now = installed();
  if (now) return now;
  throw new Error(
    'No Chromium was found. Install it (Debian: apt-get install chromium) or name it in CHROMIUM_PATH.',
  );
}
