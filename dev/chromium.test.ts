import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  disabledFeatures,
  ensureChromium,
  findWholeChromium,
  NoChromiumError,
  type Machine,
} from './chromium.ts';

const path = '/usr/bin/chromium';
const install = 'env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium chromium-headless-shell';

/** A machine without Chromium that records, in order, everything that happens on it. */
function openMachine({ isRoot = false, refused = '' } = {}) {
  const happened: string[] = [];
  let isInstalled = false;
  const machine: Machine = {
    places: [undefined, path],
    exists: () => isInstalled,
    isRoot,
    say: (line) => happened.push(`says ${line.trim()}`),
    run(...words) {
      const command = words.join(' ');
      if (command === refused) return false;
      happened.push(`runs ${command}`);
      isInstalled ||= command.includes('install');
      return true;
    },
  };
  return { machine, happened };
}

/** The message that a person without Chromium reads. */
function refusalOn(machine: Machine): string {
  try {
    ensureChromium(machine);
  } catch (error) {
    expect(error).toBeInstanceOf(NoChromiumError);
    return error instanceof Error ? error.message : '';
  }
  throw new Error('Chromium was found.');
}

test('A person who can use sudo reads what will be installed before it is installed', () => {
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

test.each([
  ['no passwordless sudo', 'sudo -n true', false, `sudo apt-get update -qq &&\n  sudo ${install}\n`],
  ['no apt-get', 'apt-get --version', true, `apt-get update -qq &&\n  ${install}\n`],
])(
  'A person with %s is shown the command to type, and nothing is installed',
  (_, refused, isRoot, command) => {
    const { machine, happened } = openMachine({ isRoot, refused });
    expect(refusalOn(machine)).toContain(command);
    expect(happened.filter((line) => line.includes('update') || line.includes('chromium'))).toEqual([]);
  },
);

test('The headless shell is preferred, except where a test needs the whole browser', () => {
  const shell = '/usr/bin/chromium-headless-shell';
  const machine = { ...openMachine().machine, places: [shell, path], exists: () => true };
  expect(ensureChromium(machine)).toBe(shell);
  expect(findWholeChromium(machine)).toBe(path);
  expect(() => findWholeChromium({ ...machine, places: [shell] })).toThrow(NoChromiumError);
});

test('Chromium starts without the features that Playwright disables', async () => {
  const bundle = await readFile('node_modules/playwright-core/lib/coreBundle.js', 'utf8');
  const [, list = ''] = /^\s*disabledFeatures = \[(.*?)^\s*\]/ms.exec(bundle) ?? [];
  const theirs = Array.from(list.matchAll(/^\s*"(\w+)"/gm), ([, name]) => name);
  expect(theirs).toContain('PaintHolding');
  expect(disabledFeatures.slice(0, theirs.length)).toEqual(theirs);
});
