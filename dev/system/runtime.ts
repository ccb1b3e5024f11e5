/**
 * Runs bundled Workers in workerd, in a separate process. It receives what to run over the channel to its parent
 * process, and ends with that process. `wrangler dev` does the same behind its own proxy, which makes each request take
 * three times as long.
 */
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from 'miniflare';
import type { BundledWorker } from './build-cache.ts';

export interface RuntimeOptions {
  readonly port: number;
  /** Where the buckets and the mailbox store their data. */
  readonly stateDir: string;
  readonly workers: readonly BundledWorker[];
  /** Settings and secrets of the first Worker. */
  readonly vars: Readonly<Record<string, string>>;
}

function miniflareOptions({ port, stateDir, workers, vars }: RuntimeOptions): V4MiniflareOptions {
  return {
    host: '127.0.0.1',
    port,
    resourcePersistencePath: stateDir,
    // `/cdn-cgi/local/scheduled` calls the scheduled handler.
    unsafeTriggerHandlers: true,
    handleStructuredLogs: ({ message }) => console.log(message),
    workers: workers.map(({ name, dir, options }, index) => {
      const { bindings = {}, ...own } = options as { readonly bindings?: object };
      return {
        ...own,
        name,
        bindings: index === 0 ? { ...bindings, ...vars } : bindings,
        modulesRoot: dir,
        modules: [{ type: 'ESModule', path: join(dir, 'worker.js') }],
      };
    }),
  } as V4MiniflareOptions;
}

process.once('message', (options) => {
  const runtime = new Miniflare(convertV4MiniflareOptions(miniflareOptions(options as RuntimeOptions)));
  const end = (code: number) => void runtime.dispose().finally(() => process.exit(code));
  process.once('SIGTERM', () => end(0));
  process.once('disconnect', () => end(0));
  runtime.ready.catch((error: unknown) => {
    console.error(error);
    end(1);
  });
});
