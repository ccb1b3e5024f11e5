import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectDir } from './settings.ts';

/** A command that prints its temporary folder and waits. */
const command = `
  import { runMain } from '#deploy/errors.ts';
  import { inTemporaryFolder } from '#deploy/temporary-folder.ts';
  await runMain(() => inTemporaryFolder((dir) => {
    console.log(dir);
    return new Promise((resolve) => setTimeout(resolve, 2 ** 30));
  }));
`;

test('Ctrl-C leaves no temporary folder, which may contain secrets', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', command], { cwd: projectDir });
  const [printed] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const dir = printed.trim();
  expect(existsSync(dir)).toBe(true);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
  expect(existsSync(dir)).toBe(false);
});
