import { onlineManager, QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { CallError } from './call.ts';
import { callQuery, joinQueries, queryClient, refetchScreen, type QueryState } from './query.ts';
import { useMutation, type MutationOptions } from './use-mutation.ts';

// On a server, the library never retries. A window makes it behave as in a browser.
vi.hoisted(() => vi.stubGlobal('window', {}));

const fetched = vi.fn<typeof fetch>();
vi.stubGlobal('fetch', fetched);

afterEach(() => {
  fetched.mockReset();
  queryClient.clear();
  onlineManager.setOnline(true);
});

const answerWith = (body: unknown) =>
  fetched.mockImplementation(() => Promise.resolve(Response.json(body, { headers: { ETag: '"1"' } })));

/** Renders a part of a screen that shows an order, and returns the current state of its query. */
function showOrder(id: string) {
  const observer = new QueryObserver(queryClient, callQuery('GET /order/:id', { id }));
  const leave = observer.subscribe(() => undefined);
  return { now: () => observer.getCurrentResult(), observer, leave };
}

test('Two parts of a screen that show the same order share one request, and another order has a separate one', async () => {
  answerWith({ _id: 'a' });
  const parts = [showOrder('a'), showOrder('a'), showOrder('b')];
  await vi.waitFor(() => expect(parts.every(({ now }) => now().isSuccess)).toBe(true));
  expect(fetched.mock.calls.map(([address]) => address)).toEqual(['/api/order/a', '/api/order/b']);
  for (const { leave } of parts) leave();
});

test('Without a connection, a screen says so immediately and does not retry automatically', async () => {
  onlineManager.setOnline(false);
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  const { now, leave } = showOrder('a');
  await vi.waitFor(() => expect(now().error?.message).toMatch(/could not reach the site/));
  expect(fetched).toHaveBeenCalledOnce();
  leave();
});

test('A screen that is opened again loads again, and shows no old data in the meantime', async () => {
  answerWith({ _id: 'a' });
  const first = showOrder('a');
  await vi.waitFor(() => expect(first.now().isSuccess).toBe(true));
  first.leave();
  await vi.waitFor(() => expect(queryClient.getQueryCache().getAll()).toEqual([]));
  const second = showOrder('a');
  expect(second.now().data).toBeUndefined();
  await vi.waitFor(() => expect(second.now().isSuccess).toBe(true));
  expect(fetched).toHaveBeenCalledTimes(2);
  second.leave();
});

test('A response with the same content is a new object, so that an effect can detect that it arrived', async () => {
  answerWith({ _id: 'a' });
  const { now, leave } = showOrder('a');
  await vi.waitFor(() => expect(now().isSuccess).toBe(true));
  const before = now().data;
  await refetchScreen();
  expect(now().data).toEqual(before);
  expect(now().data).not.toBe(before);
  leave();
});

const failure = (status: number) => new CallError({ title: 'Error', status, detail: `Status ${status}` });
const stateOf = <T,>(data: T | undefined, error: CallError | null = null): QueryState<T> => ({
  data,
  error,
  errorUpdatedAt: error ? 1 : 0,
  isFetching: false,
  refetch: vi.fn(),
});

test('Joined queries wait for all of their calls, and fail with the first error', () => {
  const order = stateOf({ number: 1 });
  expect(joinQueries({ order, work: stateOf(undefined) }).data).toBeUndefined();
  expect(joinQueries({ order, account: stateOf(null) }).data).toEqual({
    order: { number: 1 },
    account: null,
  });
  const work = stateOf<string>(undefined, failure(500));
  const joined = joinQueries({ order, work });
  expect(joined.error?.status).toBe(500);
  void joined.refetch();
  expect(order.refetch).toHaveBeenCalledOnce();
  expect(work.refetch).toHaveBeenCalledOnce();
});

/** Renders a part of a screen with a mutation, and returns the mutation. */
function mutationOf<T>(options: MutationOptions<T, void>) {
  let mutate: (() => Promise<T>) | undefined;
  function Part() {
    mutate = useMutation(options).mutateAsync;
    return null;
  }
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <Part />
    </QueryClientProvider>,
  );
  if (!mutate) throw new Error('The part was not shown.');
  return mutate;
}

test.each([
  ['that is done', () => Promise.resolve(), {}, true],
  ['that is refused because somebody else was first', () => Promise.reject(failure(409)), {}, true],
  ['that is refused because it is gone', () => Promise.reject(failure(404)), {}, true],
  ['that is refused because the version is old', () => Promise.reject(failure(412)), {}, true],
  ['with a wrong field', () => Promise.reject(failure(422)), {}, false],
  ['that gets no answer', () => Promise.reject(failure(0)), {}, false],
  ['that changes nothing', () => Promise.resolve(), { changesNothing: true }, false],
] as const)(
  'After a change %s the screen shows the new state, where there is one',
  async (_, mutationFn, options, isReadAgain) => {
    answerWith({ _id: 'a' });
    const { now, leave } = showOrder('a');
    await vi.waitFor(() => expect(now().isSuccess).toBe(true));
    await mutationOf<unknown>({ mutationFn, ...options })().catch(() => undefined);
    await vi.waitFor(() => expect(now().isFetching).toBe(false));
    expect(fetched).toHaveBeenCalledTimes(isReadAgain ? 2 : 1);
    leave();
  },
);

test('An error in the browser is reported like a failed call', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  const thrown = mutationOf({ mutationFn: () => Promise.reject(new TypeError('No clipboard')) })();
  await expect(thrown).rejects.toBeInstanceOf(CallError);
});
