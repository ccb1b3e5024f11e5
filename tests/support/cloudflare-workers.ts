/** `cloudflare:workers` in Node: the base classes, and a `Pages` entrypoint without a cache to purge. */
export class WorkerEntrypoint {
  readonly ctx: unknown;
  readonly env: unknown;

  constructor(ctx: unknown, env: unknown) {
    this.ctx = ctx;
    this.env = env;
  }
}

export class DurableObject extends WorkerEntrypoint {}

export const exports = { Pages: { purge: () => Promise.resolve(undefined) } };
