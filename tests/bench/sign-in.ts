/** What a sign-in costs, and what it costs the others: a password's hash holds the isolate's one thread. */
import { newEmail, registerCustomer, Visitor } from '../support/visitor.ts';
import { spread, time, timeEach, type Measure } from './figures.ts';
import { startDeployed } from './runtime.ts';

/** Fewer than are made at once make no crowd. */
const signInsOf = (atOnce: number): number => Math.max(64, atOnce);

async function readPrices(url: string): Promise<void> {
  const answer = await fetch(`${url}/api/pricings`);
  await answer.text();
  if (!answer.ok) throw new Error(`The prices answered ${answer.status}.`);
}

export const signIn: Measure = {
  name: 'sign-in',
  how: `POST /api/auth/login with the right password, ${signInsOf(1)} times, or as often as at once; meanwhile GET /api/pricings one after another`,
  take: async (tell) => {
    const { url, stop } = await startDeployed();
    try {
      const email = newEmail();
      const password = 'a customer password';
      await registerCustomer(url, email, password);
      await timeEach(20, 1, () => readPrices(url));
      tell({
        of: 'GET /api/pricings, nobody signing in',
        value: spread(await timeEach(300, 1, () => readPrices(url)), 0.5, 0.99),
      });
      for (const atOnce of [1, 2, 8, 32, 200]) {
        const signIns = signInsOf(atOnce);
        const times: number[] = [];
        let turnedAway = 0;
        let isOver = false;
        const others: number[] = [];
        const reader = async () => {
          while (!isOver) others.push(await time(() => readPrices(url)));
        };
        const visitor = new Visitor(url);
        const signInOnce = async () => {
          const startedAt = performance.now();
          const { status } = await visitor.post('/api/auth/login', { email, password });
          if (status === 200) times.push(performance.now() - startedAt);
          else if (status === 503) turnedAway += 1;
          else throw new Error(`A sign-in answered ${status}.`);
        };
        await Promise.all([reader(), timeEach(signIns, atOnce, signInOnce).finally(() => (isOver = true))]);
        const busy = turnedAway > 0 ? ` · ${turnedAway} of ${signIns} asked to wait (503)` : '';
        tell({ of: `sign-in, ${atOnce} at once`, value: spread(times, 0.5, 0.99) + busy });
        tell({ of: `GET /api/pricings, ${atOnce} signing in`, value: spread(others, 0.5, 0.99) });
      }
    } finally {
      await stop();
    }
  },
};
