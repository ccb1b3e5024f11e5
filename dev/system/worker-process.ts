/** Starts the Worker and the local mailbox in workerd, and stops all their processes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectDir } from '#deploy/settings.ts';
import { cronTriggers } from '#worker/operations/jobs.ts';
import { bundleIfChanged } from './build-cache.ts';
import type { RuntimeOptions } from './runtime.ts';
import { StartError } from './settings.ts';

/** How long the Worker may take to answer, in ms. */
const readyLimitMs = 60_000;

/** How long one attempt may take, in ms. A lost response must not delay the start. */
const answerLimitMs = 10_000;

/** Below the ports that systems assign automatically: Linux from 32768, macOS and Windows from 49152. */
const firstPort = 20_000;
const portPairs = 6_000;

/** Listens on a port, on `host` or on all addresses; undefined if the port is taken. */
async function listenOn(port: number, host?: string): Promise<Server | undefined> {
  const server = createServer();
  server.listen({ port, host });
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}

/**
 * Finds a port for a server that is about to start. No other caller gets the same port, in this process or another.
 * Ports come in pairs: the even port is returned, and we listen on the odd port above it as a claim until this process
 * ends.
 * @param from where the search begins
 */
export async function freePort(from = firstPort + 2 * randomInt(portPairs)): Promise<number> {
  for (let step = 0; step < portPairs; step += 1) {
    const port = firstPort + 2 * (((from - firstPort) / 2 + step) % portPairs);
    const claim = await listenOn(port + 1, '127.0.0.1');
    if (!claim) continue;
    const tried = await listenOn(port);
    if (tried) {
      claim.unref();
      await promisify(tried.close.bind(tried))();
      return port;
    }
    claim.close();
  }
  throw new StartError('Every port for a copy is taken.');
}

/** @throws StartError if something already listens on the port */
export async function checkPort(port: number): Promise<void> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === 'EADDRINUSE'
        ? `Port ${String(port)} is already taken. Stop what uses it, or choose another: PORT=8788 npm start`
        : `Port ${String(port)} cannot be used: ${message}`,
    );
  }
  await promisify(server.close.bind(server))();
}

export interface WorkerOptions {
  readonly port: number;
  readonly dataDir: string;
  readonly buildDir: string;
  readonly vars: Readonly<Record<string, string>>;
}

export interface WorkerProcess {
  readonly url: string;
  /** Calls the scheduled handler like a cron trigger in production; by default, the every-minute trigger. */
  readonly tick: (cron?: string) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Kills the process immediately, like a crash. */
  readonly kill: () => Promise<void>;
  /** Settles when the process ends on its own. */
  readonly ended: Promise<number | null>;
}

/** Ends a process and everything that it started. `stop` asks first, `kill` does not. */
function stopGroup(child: ChildProcess, ended: Promise<unknown>): Pick<WorkerProcess, 'stop' | 'kill'> {
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // The group is already gone.
    }
  };
  const kill = async () => {
    signal('SIGKILL');
    await ended;
  };
  const stop = async () => {
    signal('SIGTERM');
    const patience = setTimeout(() => signal('SIGKILL'), 3_000);
    await ended;
    clearTimeout(patience);
    signal('SIGKILL');
  };
  return { stop, kill };
}

/** Where a data folder stores the data of the emulated buckets and the mailbox. */
export const stateDirIn = (dataDir: string): string => join(dataDir, 'wrangler/v3');

/** Starts the runtime with the Worker and the local mailbox, in its own process group. */
function spawnRuntime(options: RuntimeOptions): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'runtime.ts')], {
    cwd: projectDir,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.send(options);
  return child;
}

/** Opens a log file. If the disk is full, the copy continues without its log and reports only the first failure. */
export function openLog(file: string): WriteStream {
  const log = createWriteStream(file);
  let isSaid = false;
  log.on('error', ({ message }) => {
    if (!isSaid) console.error(`The log ${file} cannot be written: ${message}`);
    isSaid = true;
  });
  return log;
}

/**
 * Starts the Worker. It answers requests once this resolves.
 * @throws StartError with the end of the log if it does not start
 */
export async function startWorker({ port, dataDir, buildDir, vars }: WorkerOptions): Promise<WorkerProcess> {
  const workers = await bundleIfChanged(buildDir);
  const logFile = join(dataDir, 'worker.log');
  const log = openLog(logFile);
  const child = spawnRuntime({ port, stateDir: stateDirIn(dataDir), workers, vars });
  let tail = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Uint8Array) => {
      log.write(chunk);
      tail = (tail + new TextDecoder().decode(chunk)).slice(-4_000);
    });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const { stop, kill } = stopGroup(child, ended);
  // However this process ends, workerd must not outlive it.
  const endGroup = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  process.once('exit', endGroup);
  void ended.then(() => process.off('exit', endGroup));
  const url = `http://localhost:${String(port)}`;
  const local = `http://127.0.0.1:${String(port)}`;

  // workerd silently closes a connection that was idle for 5 s. A request on a connection that is just closing would
  // get no response.
  const headers = { Connection: 'close' };
  const tick = async (cron: string = cronTriggers.everyMinute) => {
    const query = new URLSearchParams({ cron });
    await fetch(`${local}/cdn-cgi/local/scheduled?${query}`, { headers }).catch(() => undefined);
  };

  const deadline = Date.now() + readyLimitMs;
  for (;;) {
    const answer = await fetch(`${local}/api/health`, {
      headers,
      signal: AbortSignal.timeout(answerLimitMs),
    }).catch(() => undefined);
    if (answer?.ok) break;
    // A copy that was off for a while has missed its cron triggers, which can be the only reason for a 503. This runs
    // them.
    if (answer?.status === 503) await tick();
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      const said = answer ? `\n${await answer.text()}` : '';
      throw new StartError(`The Worker did not start. The end of its log (${logFile}):\n${tail}${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    ended,
    stop,
    kill,
    tick,
  };
}
