/**
 * Cloudflare Turnstile. If the site has a Turnstile key, the script loads when the form is first used. The widget
 * usually decides without a challenge, and adds its token to the form.
 * https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/
 */
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { CallError, api } from '../app/call.ts';

interface Turnstile {
  render(place: HTMLElement, options: Readonly<Record<string, unknown>>): string | undefined;
  reset(widget?: string): void;
}

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

interface TurnstileCheck {
  /** Resolves once the form contains a token. @throws CallError if the check fails */
  readonly pass: () => Promise<void>;
  /** Requests a new token. Each token is valid once. */
  readonly renew: () => void;
}

const scriptUrl = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

const failed = () =>
  new CallError({
    title: 'Check failed',
    status: 0,
    detail:
      'We could not verify that you are human. Check your connection, allow challenges.cloudflare.com if you block scripts, and try again.',
  });

const loadScript = (): Promise<Turnstile> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = scriptUrl;
    script.onload = () => (window.turnstile ? resolve(window.turnstile) : reject(failed()));
    script.onerror = () => {
      script.remove();
      reject(failed());
    };
    document.head.appendChild(script);
  });

/** A promise that other code settles. */
interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function defer(): Deferred {
  let settle: Omit<Deferred, 'promise'> | undefined;
  const promise = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, resolve: () => settle?.resolve(), reject: (error) => settle?.reject(error) };
}

/** The widget is visible only if it shows a challenge. @throws CallError if Cloudflare's script does not load */
async function addTurnstile(form: HTMLFormElement, siteKey: string): Promise<TurnstileCheck> {
  const turnstile = window.turnstile ?? (await loadScript());
  const place = document.createElement('div');
  form.querySelector('[type="submit"]')?.insertAdjacentElement('beforebegin', place);
  let answer: Deferred;
  const ask = () => {
    answer = defer();
    // Prevents an unhandled rejection if nothing awaits the promise yet.
    answer.promise.catch(() => undefined);
  };
  ask();
  const widget = turnstile.render(place, {
    sitekey: siteKey,
    appearance: 'interaction-only',
    size: 'flexible',
    callback: () => answer.resolve(),
    'expired-callback': ask,
    'error-callback': () => {
      answer.reject(failed());
      ask();
      return true;
    },
  });
  return {
    pass: () => answer.promise,
    renew() {
      ask();
      turnstile.reset(widget);
    },
  };
}

async function openCheck(form: HTMLFormElement): Promise<TurnstileCheck | undefined> {
  const { data } = await api('GET /turnstile');
  return data.siteKey === null ? undefined : addTurnstile(form, data.siteKey);
}

/** @returns a function that sends after the check has passed; an error requests a new token */
export function useTurnstile(ref: RefObject<HTMLFormElement | null>) {
  const check = useRef<Promise<TurnstileCheck | undefined>>(undefined);

  /** The check, opened once. If opening fails, the next attempt opens it again. */
  function findCheck(form: HTMLFormElement) {
    const opening = (check.current ??= openCheck(form));
    opening.catch(() => {
      check.current = undefined;
    });
    return opening;
  }

  const open = useEffectEvent(findCheck);
  useEffect(() => {
    if (ref.current) void open(ref.current);
  }, [ref]);

  return async (form: HTMLFormElement, send: () => Promise<unknown>): Promise<void> => {
    const person = await findCheck(form);
    try {
      await person?.pass();
      await send();
    } catch (cause) {
      person?.renew();
      throw cause;
    }
  };
}
