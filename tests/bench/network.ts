/** The network between Worker and database, which a database on the same machine does not have. */
import { setTimeout as sleep } from 'node:timers/promises';

/** What a round trip takes in a measure with network, in ms. */
export const networkMs = 20;

export interface Network {
  /** For the system's database: what each round trip takes just now. */
  readonly beforePipeline: () => Promise<void> | void;
  /** Does something while each round trip takes `networkMs` longer. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

export function openNetwork(): Network {
  let delayMs = 0;
  return {
    beforePipeline: () => (delayMs > 0 ? sleep(delayMs) : undefined),
    async during(work) {
      delayMs = networkMs;
      try {
        return await work();
      } finally {
        delayMs = 0;
      }
    },
  };
}
