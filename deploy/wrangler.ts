/** Runs wrangler, Cloudflare's own tool: all that a deployment asks of Cloudflare goes through it. */
import { spawn } from 'node:child_process';
import { accountId, projectDir } from './settings.ts';

/** A mistake or a missing piece that a person can see to; its message is all that they are shown. */
export class DeployError extends Error {
  override readonly name = 'DeployError';
}

export interface WranglerAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** As deployed wherever it runs: wrangler puts `NODE_ENV` into the bundle. Of several accounts it takes the one that is named. */
const environment = async () => ({
  ...process.env,
  CLOUDFLARE_ACCOUNT_ID: await accountId(),
  NODE_ENV: 'production',
  WRANGLER_SEND_METRICS: 'false',
});

/**
 * Runs a command of wrangler in sight of the person, who may be asked (whether a DNS record that is there already may be
 * replaced, say).
 * @throws DeployError when it fails
 */
export async function runWrangler(...args: string[]): Promise<void> {
  const env = await environment();
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const child = spawn('wrangler', args, { cwd: projectDir, stdio: 'inherit', env });
  child.once('error', reject);
  child.once('exit', (code) => {
    if (code === 0) resolve(undefined);
    else reject(new DeployError(`wrangler ${args[0] ?? ''} failed; what it said stands above.`));
  });
  await promise;
}

/**
 * Runs a command of wrangler and hands back what it said.
 * @param input what it reads, such as secrets that must not stand in a command line
 */
export async function askWrangler(args: readonly string[], input = ''): Promise<WranglerAnswer> {
  const env = await environment();
  const { promise, resolve, reject } = Promise.withResolvers<WranglerAnswer>();
  const child = spawn('wrangler', args, {
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
  // A command that fails early closes its input before all is written.
  child.stdin.on('error', () => undefined).end(input);
  return promise;
}
