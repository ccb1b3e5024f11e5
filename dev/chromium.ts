/** Finds Chromium for the browser tests, and installs Debian's packages if there is none. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** What decides whether and how Chromium can be installed here. */
export interface Machine {
  readonly places: readonly (string | undefined)[];
  readonly exists: (path: string) => boolean;
  readonly isRoot: boolean;
  /**
   * Runs a command.
   * @returns whether it succeeded
   */
  readonly run: (program: string, ...args: readonly string[]) => boolean;
  readonly say: (line: string) => void;
}

const thisMachine: Machine = {
  places: [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium-headless-shell',
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

/** The features that Playwright disables by default. A test compares the lists. */
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
 * The features that we disable. Chromium applies only the last such list, so ours includes Playwright's. Otherwise,
 * even headless Chromium creates a whole window for each context and loads two pages for the suggestions below its
 * address bar. That is half of what a short test costs.
 */
export const disabledFeatures = [
  ...playwrightDisables,
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'PreloadTopChromeWebUI',
];

/** How we start Chromium everywhere: headless, even as root, and without its own network requests. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures.join(',')}`,
];

/** Chromium is missing. The message says what to do about it. */
export class NoChromiumError extends Error {}

const update = ['apt-get', 'update', '-qq'];
const install = [
  ...['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', '-y', '-qq'],
  ...['chromium', 'chromium-headless-shell'],
];

const findIn = ({ places, exists }: Pick<Machine, 'places' | 'exists'>) =>
  places.find((place) => place !== undefined && exists(place));

/**
 * The path of a Chromium with everything that people's browsers have. The headless shell keeps no pages for the Back
 * button.
 * @throws NoChromiumError if only the headless shell is installed
 */
export function findWholeChromium({ places, exists } = thisMachine): string {
  const found = findIn({ places: places.filter((place) => !place?.includes('headless')), exists });
  if (!found)
    throw new NoChromiumError('This test needs Debian’s package chromium, not only the headless shell.');
  return found;
}

/**
 * The path of an installed Chromium, preferably the headless shell, which takes a fifth less CPU time. If there is
 * none, says what it is about to install and installs it.
 * @throws NoChromiumError with the command to type if it cannot be installed from here
 */
export function ensureChromium({ places, exists, isRoot, run, say }: Machine = thisMachine): string {
  const found = findIn({ places, exists });
  if (found) return found;

  const sudo = isRoot ? [] : ['sudo'];
  const commands = [update, install].map((command) => [...sudo, ...command].join(' '));
  const byHand = `Install it with\n  ${commands.join(' &&\n  ')}\nor name an installed one: CHROMIUM_PATH=/path/to/chromium npm test`;
  const cannot = (reason: string) =>
    new NoChromiumError(`The browser tests need Chromium, which is not installed. ${reason}\n${byHand}`);

  if (!run('apt-get', '--version')) throw cannot('It cannot be installed from here: there is no apt-get.');
  // Never prompts for a password, because nobody may be there to type one.
  if (!isRoot && !run('sudo', '-n', 'true'))
    throw cannot('It cannot be installed from here: that takes an administrator’s password.');

  say('The browser tests need Chromium, which is not installed. Installing Debian’s packages, once, with');
  for (const command of commands) say(`  ${command}`);
  for (const command of [update, install]) {
    const [program = '', ...args] = isRoot ? command : ['sudo', '-n', ...command];
    if (!run(program, ...args)) throw cannot(`This failed: ${command.join(' ')}`);
  }
  const now = findIn({ places, exists });
  if (!now) throw cannot('It was installed, but not in any of the usual places.');
  return now;
}
