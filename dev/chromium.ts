/** Finds Chromium for the browser tests, and installs Debian's package where there is none. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** What decides whether Chromium can be installed here, and how. */
export interface Machine {
  /** Where Chromium may be. */
  readonly places: readonly (string | undefined)[];
  readonly exists: (path: string) => boolean;
  readonly isRoot: boolean;
  /** Runs a command. @returns whether it ended well */
  readonly run: (program: string, ...args: readonly string[]) => boolean;
  readonly say: (line: string) => void;
}

const thisMachine: Machine = {
  places: [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  exists: existsSync,
  isRoot: process.getuid?.() === 0,
  run: (program, ...args) =>
    spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0,
  say: console.log,
};

/** What Playwright leaves out by itself; a test compares. */
const playwrightDisables = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/**
 * What Chromium leaves out here. It takes the last such list alone, so Playwright's stands in ours. Without a screen it still makes
 * a whole window for each context, and loads two pages for the suggestions below its address bar: half of what a short test costs.
 */
export const disabledFeatures = [
  ...playwrightDisables,
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'PreloadTopChromeWebUI',
];

/** How Chromium is started everywhere: headless, as root too, and without calls of its own to the network. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures.join(',')}`,
];

/** Chromium is not here; the message says what to do about it. */
export class NoChromiumError extends Error {}

const update = ['apt-get', 'update', '-qq'];
const install = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', '-y', '-qq', 'chromium'];

/**
 * The path of an installed Chromium. Where there is none it says what it is about to install before it does.
 * @throws NoChromiumError with the command to type, when it cannot be installed from here
 */
export function ensureChromium({ places, exists, isRoot, run, say }: Machine = thisMachine): string {
  const find = () => places.find((place) => place !== undefined && exists(place));
  const found = find();
  if (found) return found;

  const sudo = isRoot ? [] : ['sudo'];
  const commands = [update, install].map((command) => [...sudo, ...command].join(' '));
  const byHand = `Install it with\n  ${commands.join(' &&\n  ')}\nor name an installed one: CHROMIUM_PATH=/path/to/chromium npm test`;
  const cannot = (reason: string) =>
    new NoChromiumError(`The browser tests need Chromium, and there is none here. ${reason}\n${byHand}`);

  if (!run('apt-get', '--version')) throw cannot('It cannot be installed from here: there is no apt-get.');
  // Without a password, or not at all: nobody may be there to type one.
  if (!isRoot && !run('sudo', '-n', 'true'))
    throw cannot('It cannot be installed from here: that takes an administrator’s password.');

  say('The browser tests need Chromium, and there is none here. Installing Debian’s package, once, with');
  for (const command of commands) say(`  ${command}`);
  for (const command of [update, install]) {
    const [program = '', ...args] = isRoot ? command : ['sudo', '-n', ...command];
    if (!run(program, ...args)) throw cannot(`This failed: ${command.join(' ')}`);
  }
  const now = find();
  if (!now) throw cannot('It was installed, and is in none of the usual places.');
  return now;
}
