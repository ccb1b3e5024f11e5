/**
 * What everybody else notices while many people sign in. A password takes about 100 ms of the Worker's only thread, so
 * the Worker hashes one at a time (worker/accounts/password-hash.ts).
 */
import { customerPassword } from '../support/accounts.ts';
import { newEmail, registerCustomer } from '../support/visitor.ts';
import { atMost, ms, percentile, spread, timeEach, type Measure } from './figures.ts';
import { startDeployed } from './runtime.ts';

const people = 200;
const forMs = 20_000;
const arriveMs = 2_000;

const wait = (duration: number) => new Promise<void>((resolve) => setTimeout(resolve, duration));

const read = async (url: string, init?: RequestInit) => (await fetch(url, init)).arrayBuffer();

/** Signs in repeatedly until the time is over. Waits as long as a full queue asks. */
async function keepSigningIn(url: string, until: number, counts: Map<number, number>): Promise<void> {
  // People do not arrive in the same millisecond, and this process is their browser.
  await wait(Math.random() * arriveMs);
  while (performance.now() < until) {
    const response = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { Origin: url, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: newEmail(), password: customerPassword }),
    });
    await response.arrayBuffer();
    counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
    await wait(Number(response.headers.get('Retry-After') ?? 0) * 1_000);
  }
}

export const signIns: Measure = {
  name: 'sign-ins',
  how: `workerd without a proxy, ${people} people who sign in at once and again, for ${forMs / 1_000} s`,
  take: async (tell) => {
    const deployed = await startDeployed();
    try {
      const { url } = deployed;
      const customer = await registerCustomer(url);
      const others = {
        '/': () => read(url),
        'a read without a session': () => read(`${url}/api/pricings`),
        'a read with a session': () => read(`${url}/api/auth/account`, { headers: customer.cookies.header }),
      };
      for (const ask of Object.values(others)) await ask();
      const until = performance.now() + forMs;
      const counts = new Map<number, number>();
      const crowd = Promise.all(Array.from({ length: people }, () => keepSigningIn(url, until, counts)));
      const taken = await Promise.all(
        Object.entries(others).map(async ([name, ask]) => {
          const times: number[] = [];
          while (performance.now() < until) times.push(...(await timeEach(1, 1, ask)));
          return [name, times] as const;
        }),
      );
      await crowd;
      for (const [name, times] of taken)
        tell(
          atMost(
            `${name}, p99`,
            percentile(times, 0.99),
            500,
            ms,
            `${spread(times, 0.5, 0.99)} of ${times.length}`,
          ),
        );
      tell({
        of: 'answers to sign-ins, by status',
        value: [...counts].map(([status, count]) => `${status}: ${count}`).join(', '),
      });
    } finally {
      await deployed.stop();
    }
  },
};
