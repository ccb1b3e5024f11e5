/** What happens to a person who starts the browser tests without Chromium, and in which order. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { disabledFeatures, ensureChromium, NoChromiumError, type Machine } from './chromium.ts';

const path = '/usr/bin/chromium';
const install = 'env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium';

/** A machine without Chromium, and all that happens on it, in order. */
function openMachine({ isRoot = false, refuses = (asked: string): boolean => asked === '' } = {}) {
  const happened: string[] = [];
  let isInstalled = false;
  const machine: Machine = {
    places: [undefined, path],
    exists: () => isInstalled,
    isRoot,
    say: (line) => happened.push(`says ${line.trim()}`),
    run(...words) {
      const command = words.join(' ');
      if (refuses(command)) return false;
      happened.push(`runs ${command}`);
      isInstalled ||= command.includes('install');
      return true;
    },
  };
  return { machine, happened };
}

/** What somebody reads instead of having Chromium. */
function refusalOn(machine: Machine): string {
  try {
    ensureChromium(machine);
  } catch (error) {
    expect(error).toBeInstanceOf(NoChromiumError);
    return error instanceof Error ? error.message : '';
  }
  throw new Error('Chromium was found.');
}

test('Somebody who may use sudo is told what will be installed before it is', () => {
  const { machine, happened } = openMachine();
  expect(ensureChromium(machine)).toBe(path);
  expect(happened).toEqual([
    'runs apt-get --version',
    'runs sudo -n true',
    expect.stringMatching(/^says The browser tests need Chromium/),
    'says sudo apt-get update -qq',
    `says sudo ${install}`,
    'runs sudo -n apt-get update -qq',
    `runs sudo -n ${install}`,
  ]);
});

test('An administrator of the machine needs no sudo', () => {
  const { machine, happened } = openMachine({ isRoot: true });
  expect(ensureChromium(machine)).toBe(path);
  expect(happened.join('\n')).not.toContain('sudo');
  expect(happened.indexOf(`says ${install}`)).toBeLessThan(happened.indexOf('runs apt-get update -qq'));
});

test.each([
  ['no passwordless sudo', 'sudo -n true', false, `sudo apt-get update -qq &&\n  sudo ${install}\n`],
  ['no apt-get', 'apt-get --version', true, `apt-get update -qq &&\n  ${install}\n`],
])('With %s nothing is installed, and the command to type is shown', (_, refused, isRoot, command) => {
  const { machine, happened } = openMachine({ isRoot, refuses: (asked) => asked === refused });
  expect(refusalOn(machine)).toContain(command);
  expect(happened.filter((line) => line.includes('update') || line.includes('chromium'))).toEqual([]);
});

test('An installation that fails says which command did', () => {
  const { machine } = openMachine({ refuses: (asked) => asked.includes('install') });
  expect(refusalOn(machine)).toContain(`This failed: ${install}`);
});

test('Nothing is installed or said where Chromium is', () => {
  const { machine, happened } = openMachine();
  expect(ensureChromium({ ...machine, exists: () => true })).toBe(path);
  expect(happened).toEqual([]);
});

test('What Playwright has Chromium leave out stays left out', async () => {
  const bundle = await readFile('node_modules/playwright-core/lib/coreBundle.js', 'utf8');
  const [, list = ''] = /^\s*disabledFeatures = \[(.*?)^\s*\]/ms.exec(bundle) ?? [];
  const theirs = Array.from(list.matchAll(/^\s*"(\w+)"/gm), ([, name]) => name);
  expect(theirs).toContain('PaintHolding');
  expect(disabledFeatures.slice(0, theirs.length)).toEqual(theirs);
});
