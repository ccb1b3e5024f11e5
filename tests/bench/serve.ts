/**
 * How fast visitors are served: `/` from the Worker, compared with a Worker that always returns the same bytes.
 */
import { median, ms, percentile, perSecond, time, timeEach, times, type Measure } from './figures.ts';
import { load, type Load } from './load.ts';
import { startDeployed, startRuntime, type Deployed } from './runtime.ts';

const connections = 16;
/** Short alternating rounds, so that other load on the machine affects both equally. */
const rounds = 15;
const roundMs = 800;
const coldStarts = 5;

const rate = (loads: readonly Load[]) => median(loads.map((one) => one.perSecond));
const told = (loads: readonly Load[]) =>
  `${perSecond(rate(loads))} · p99 ${ms(median(loads.map((one) => percentile(one.times, 0.99))))}`;

const read = async (url: string) => (await fetch(url)).text();

/** The first request of new isolates, alone and 16 at once. */
async function measureColdStarts({ bundle, system }: Deployed) {
  const alone: number[] = [];
  const crowd: number[] = [];
  for (let count = 0; count < coldStarts; count += 1) {
    const one = await startRuntime(bundle, system);
    alone.push(await time(() => read(one.url)));
    await one.stop();
    const many = await startRuntime(bundle, system);
    crowd.push(...(await load(many.url, connections, 1)).times);
    await many.stop();
  }
  return { alone: median(alone), crowd: percentile(crowd, 0.99) };
}

export const serve: Measure = {
  name: 'serve',
  how: `workerd without a proxy, ${connections} connections, ${rounds} alternating rounds of ${roundMs / 1_000} s, medians`,
  take: async (tell) => {
    const deployed = await startDeployed();
    try {
      const { url, constantUrl } = deployed;
      await fetch(constantUrl, { method: 'PUT', body: await read(url) });
      await load(url, connections, roundMs);
      await load(constantUrl, connections, roundMs);
      const pages: Load[] = [];
      const constants: Load[] = [];
      for (let round = 0; round < rounds; round += 1) {
        pages.push(await load(url, connections, roundMs));
        constants.push(await load(constantUrl, connections, roundMs));
      }
      tell({ of: '/ , warm', value: told(pages) });
      tell({ of: 'a constant body of the same length', value: told(constants) });
      const ratio = median(pages.map((page, round) => page.perSecond / (constants[round]?.perSecond ?? NaN)));
      tell({
        of: 'requests a second, relative to the constant body',
        value: times(ratio),
        goal: `≥ ${times(0.8)}`,
        met: ratio >= 0.8,
      });

      const warm = median(await timeEach(50, 1, () => read(url)));
      const { alone, crowd } = await measureColdStarts(deployed);
      tell({ of: '/ , warm, one request', value: ms(warm) });
      tell({ of: 'first request of a new isolate', value: `${times(alone / warm)} (${ms(alone)})` });
      tell({ of: 'the same, 16 at once, p99', value: `${times(crowd / warm)} (${ms(crowd)})` });
    } finally {
      await deployed.stop();
    }
  },
};
