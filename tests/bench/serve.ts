/** How fast visitors are served: `/` from the Worker, beside a Worker that answers the same bytes always. */
import { median, ms, percentile, perSecond, spread, time, type Measure } from './figures.ts';
import { load, type Load } from './load.ts';
import { startDeployed, startRuntime } from './runtime.ts';

const connections = 16;
const rounds = 5;
const roundMs = 2_000;
const coldStarts = 5;

const p99 = (loads: readonly Load[]) => median(loads.map(({ times }) => percentile(times, 0.99)));
const rate = (loads: readonly Load[]) => median(loads.map((one) => one.perSecond));

export const serve: Measure = {
  name: 'serve',
  how: `workerd without a proxy, ${connections} connections, ${rounds} rounds of ${roundMs / 1_000} s in turn, medians`,
  take: async (tell) => {
    const deployed = await startDeployed();
    try {
      const { url, constantUrl } = deployed;
      const page = await (await fetch(url)).text();
      await fetch(constantUrl, { method: 'PUT', body: page });
      await load(url, connections, roundMs);
      await load(constantUrl, connections, roundMs);
      const pages: Load[] = [];
      const constants: Load[] = [];
      for (let round = 0; round < rounds; round += 1) {
        pages.push(await load(url, connections, roundMs));
        constants.push(await load(constantUrl, connections, roundMs));
      }
      tell({ of: '/ , warm', value: `${perSecond(rate(pages))} · p99 ${ms(p99(pages))}` });
      tell({
        of: 'a constant body of the same length',
        value: `${perSecond(rate(constants))} · p99 ${ms(p99(constants))}`,
      });
      const ratio = rate(pages) / rate(constants);
      tell({ of: '/ beside the constant body', value: ratio.toFixed(2), goal: '≥ 0.6', met: ratio >= 0.6 });
    } finally {
      await deployed.stop();
    }

    const cold = await startDeployed();
    try {
      await fetch(cold.url);
      const first: number[] = [];
      const crowd: number[] = [];
      for (let count = 0; count < coldStarts; count += 1) {
        const alone = await startRuntime(cold.bundle, cold.system);
        first.push(await time(async () => (await fetch(alone.url)).text()));
        await alone.stop();
        const together = await startRuntime(cold.bundle, cold.system);
        crowd.push(...(await load(together.url, connections, 1)).times);
        await together.stop();
      }
      tell({ of: '/ , first request of a new isolate', value: spread(first, 0.5, 1) });
      tell({ of: `/ , first ${connections} at once in a new isolate`, value: spread(crowd, 0.5, 0.99) });
    } finally {
      await cold.stop();
    }
  },
};
