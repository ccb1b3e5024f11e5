// @ts-check
/**
 * Runs a TypeScript file of the project on the project's own Node, after installing what is missing: `node dev/run.mjs
 * dev/start.ts`. Passes signals to the program and exits with its exit code.
 */
import { spawn } from 'node:child_process';
import { ensureInstalled, projectDir, projectNode } from './install.mjs';

const [file, ...rest] = process.argv.slice(2);
if (file === undefined) throw new Error('Say which file to run.');
if (process.platform === 'win32') {
  console.error(
    'This runs on Linux and macOS. On Windows, use WSL: https://learn.microsoft.com/windows/wsl/install. Clone the repository inside it and run the same command there.',
  );
  process.exit(1);
}
ensureInstalled();

const child = spawn(projectNode, ['--disable-warning=ExperimentalWarning', file, ...rest], {
  cwd: projectDir,
  stdio: 'inherit',
  env: { ...process.env, PATH: `${projectDir}/node_modules/.bin:${process.env['PATH'] ?? ''}` },
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    // A terminal sends Ctrl-C to the whole group, but a signal to this process alone must be passed on.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
// If the parent of this process is killed, the program must not keep running alone.
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid !== parent) child.kill('SIGTERM');
}, 1_000);
watch.unref();
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
