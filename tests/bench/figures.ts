/**
 * What a measurement reports: figures with their goals, and the arithmetic over samples that all measurements share.
 */

/** One row of the table. */
export interface Figure {
  /** What was measured. */
  readonly of: string;
  /** The figure with its unit. */
  readonly value: string;
  /** What the figure should be; absent if there is no goal. */
  readonly goal?: string;
  readonly met?: boolean;
}

export interface Measure {
  /** Its name on the command line. */
  readonly name: string;
  /** How it is measured, in one line. */
  readonly how: string;
  /** Takes the measurement and reports each figure as soon as it is known. */
  readonly take: (tell: (figure: Figure) => void) => Promise<void>;
}

/** The value below which `share` (0 to 1) of the samples lie, by nearest rank. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5);

const digits = (value: number) => (value < 10 ? 2 : value < 100 ? 1 : 0);

export const ms = (value: number): string => `${value.toFixed(digits(value))} ms`;
export const kB = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;
export const perSecond = (value: number): string => `${Math.round(value)} /s`;
export const times = (ratio: number): string => `${ratio.toFixed(2)} ×`;

/** `p50 … · p99 …` of times in ms. */
export const spread = (samples: readonly number[], ...shares: number[]): string =>
  shares.map((share) => `p${Math.round(share * 100)} ${ms(percentile(samples, share))}`).join(' · ');

/** A figure that must not exceed a limit. */
export const atMost = (
  of: string,
  value: number,
  limit: number,
  show: (value: number) => string,
  told = show(value),
): Figure => ({ of, value: told, goal: `≤ ${show(limit)}`, met: value <= limit });

/** How long something takes, in ms. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/**
 * Does something `count` times, at most `atOnce` at a time.
 * @returns how long each took, in ms
 */
export async function timeEach(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const taken: number[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      taken.push(await time(() => work(index)));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
  return taken;
}
