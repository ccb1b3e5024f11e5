/** What a sign-in costs, and what it costs everyone else: hashing a password blocks the isolate's only thread. */
import { newEmail, registerCustomer, Visitor } from '../support/visitor.ts';
import { atMost, median, ms, percentile, spread, time, timeEach, times, type Measure } from './figures.ts';
import { startDeployed } from './runtime.ts';

/** Fewer sign-ins than run at once would make no crowd. */
const signInsOf = (atOnce: number): number => Math.max(64, atOnce);

async function readPrices(url: string): Promise<void> {
  const answer = await fetch(`${url}/api/pricings`);
  await answer.text();
  if (!answer.ok) throw new Error(`The prices returned ${answer.status}.`);
}

export const signIn: Measure = {
  name: 'sign-in',
  how: 'POST /api/auth/login with the right password, while somebody else reads GET /api/pricings',
  take: async (tell) => {
    const { url, stop } = await startDeployed();
    try {
      const email = newEmail();
      const password = 'a customer password';
      await registerCustomer(url, email, password);
      await timeEach(20, 1, () => readPrices(url));
      const undisturbed = await timeEach(300, 1, () => readPrices(url));
      tell({ of: 'prices read, nobody signing in', value: spread(undisturbed, 0.5, 0.99) });
      let aloneMs = 0;
      for (const atOnce of [1, 8, 200]) {
        const signIns = signInsOf(atOnce);
        const taken: number[] = [];
        const others: number[] = [];
        let turnedAway = 0;
        let isOver = false;
        const reader = async () => {
          while (!isOver) others.push(await time(() => readPrices(url)));
        };
        const visitor = new Visitor(url);
        const signInOnce = async () => {
          const startedAt = performance.now();
          const { status } = await visitor.post('/api/auth/login', { email, password });
          if (status === 200) taken.push(performance.now() - startedAt);
          else if (status === 503) turnedAway += 1;
          else throw new Error(`A sign-in returned ${status}.`);
        };
        await Promise.all([reader(), timeEach(signIns, atOnce, signInOnce).finally(() => (isOver = true))]);
        if (atOnce === 1) aloneMs = median(taken);
        const busy = `${turnedAway} of ${signIns} asked to wait (503)`;
        tell({ of: `sign-in, ${atOnce} at once`, value: `${spread(taken, 0.5, 0.99)} · ${busy}` });
        const waited = percentile(others, 0.99);
        const told = `${times(waited / aloneMs)} a sign-in alone (${ms(waited)})`;
        tell(atMost(`prices read meanwhile, p99`, waited / aloneMs, 3, times, told));
      }
    } finally {
      await stop();
    }
  },
};
