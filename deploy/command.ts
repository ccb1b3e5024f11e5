/** Runs the vendors' command-line tools: wrangler and Turso. */
import { spawn } from 'node:child_process';
import { projectDir } from './settings.ts';

export interface CommandAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command in the person's terminal, where it may ask questions.
 * @returns its exit code
 * @throws if there is no such command
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const child = spawn(command, args, { cwd: projectDir, stdio: 'inherit', env });
  child.once('error', reject);
  child.once('exit', (code) => resolve(code ?? 1));
  return promise;
}

/**
 * Runs a command and returns its output.
 * @param input written to its standard input, such as secrets that must not appear on a command line
 * @throws if there is no such command
 */
export async function askCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input = '',
): Promise<CommandAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<CommandAnswer>();
  const child = spawn(command, args, {
    cwd: projectDir,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...env, NO_COLOR: '1' },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.once('error', reject);
  child.once('close', (code) => resolve({ code: code ?? 1, stdout, stderr }));
  // A command that fails early closes its input before all of it is written.
  child.stdin.on('error', () => undefined).end(input);
  return promise;
}
