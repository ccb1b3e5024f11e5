import { describe, expect, test, vi } from 'vitest';
import { showToast } from '#site/app/toasts.tsx';
import { awaitLive, publish, savedRevisionOf, showSaved, statusText } from './publishing.tsx';

vi.mock('#site/app/toasts.tsx', () => ({ showToast: vi.fn() }));

const pageOf = (revision: number) =>
  new Response('', { headers: { 'X-Content-Revision': String(revision) } });
const noWait = () => Promise.resolve();

describe('In the header, an administrator reads', () => {
  test.each([
    [{ kind: 'waiting' }, 'Saved, waiting for the cache near you'],
    [{ kind: 'unseen' }, 'Saved, but not visible on the site yet. Reload to check again'],
    [{ kind: 'live', revision: 7 }, 'Live, revision 7'],
    [{ kind: 'live', revision: 7, seconds: 0.25 }, 'Live, revision 7 (0.3 s)'],
  ] as const)('%j as %j', (status, text) => {
    expect(statusText(status)).toBe(text);
  });
});

describe('The answer to a save', () => {
  test('contains the revision and the changed pages', () => {
    const headers = new Headers({ 'X-Content-Revision': '12', 'X-Changed-Pages': '/, /pricing/' });
    expect(savedRevisionOf(headers)).toEqual({ revision: 12, changedPages: ['/', '/pricing/'] });
  });

  test('may be without a publication', () => {
    expect(savedRevisionOf(new Headers())).toBeUndefined();
  });
});

test('The toast of a save links to a page that the save changed, if there is one', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(pageOf(12)));
  for (const [pages, link] of [
    ['/pricing/', { href: '/pricing/', label: 'View live' }],
    ['', undefined],
  ] as const) {
    const headers = new Headers({ 'X-Content-Revision': '12', 'X-Changed-Pages': pages });
    await publish(() => Promise.resolve({ data: undefined, headers }));
    showSaved('Saved');
    expect(showToast).toHaveBeenLastCalledWith('Saved', 'success', link);
  }
});

describe('A save counts as live', () => {
  test('immediately if the page has its revision or a later one', async () => {
    const onWaiting = vi.fn();
    const fetchPage = vi.fn(() => Promise.resolve(pageOf(13)));
    const { signal } = new AbortController();
    expect(
      await awaitLive('/', 12, { signal, onWaiting, fetchPage, wait: noWait, isHidden: () => false }),
    ).toBe(true);
    expect(fetchPage).toHaveBeenCalledExactlyOnceWith('/', { cache: 'no-store', signal });
    expect(onWaiting).not.toHaveBeenCalled();
  });

  test('only after the cached page has been replaced, even if requests fail in the meantime', async () => {
    const onWaiting = vi.fn();
    const answers = [
      () => Promise.resolve(pageOf(11)),
      () => Promise.reject(new TypeError('network')),
      () => Promise.resolve(new Response('')),
      () => Promise.resolve(pageOf(12)),
    ];
    const fetchPage = vi.fn(() => answers.shift()?.() ?? Promise.reject(new Error('one look too many')));
    const { signal } = new AbortController();
    expect(
      await awaitLive('/', 12, { signal, onWaiting, fetchPage, wait: noWait, isHidden: () => false }),
    ).toBe(true);
    expect(fetchPage).toHaveBeenCalledTimes(4);
    expect(onWaiting).toHaveBeenCalledOnce();
  });

  test('only while the tab is visible: a hidden tab does not check, and no tab checks forever', async () => {
    const hidden = [true, true, false];
    const steps: string[] = [];
    const { signal } = new AbortController();
    const isLive = await awaitLive('/', 12, {
      signal,
      onWaiting: vi.fn(),
      fetchPage: () => {
        steps.push('look');
        return Promise.resolve(pageOf(11));
      },
      wait: () => {
        steps.push('wait');
        return Promise.resolve();
      },
      isHidden: () => hidden.shift() ?? false,
    });
    expect(isLive).toBe(false);
    expect(steps.slice(0, 5)).toEqual(['look', 'wait', 'wait', 'wait', 'look']);
  });

  test('no longer once there is a newer save', async () => {
    const controller = new AbortController();
    const result = awaitLive('/', 12, {
      signal: controller.signal,
      onWaiting: () => controller.abort(),
      fetchPage: () => Promise.resolve(pageOf(11)),
      wait: noWait,
      isHidden: () => false,
    });
    expect(await result).toBe(false);
  });
});
