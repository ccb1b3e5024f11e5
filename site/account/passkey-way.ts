/**
 * Signing in, or accepting an invitation, by the device's fingerprint, face or screen lock. The page loads this where the
 * browser knows passkeys; what speaks to the device comes when it is wanted.
 */
import type { RequestOptions } from '#contract/passkeys.calls.ts';
import { linkTo } from '#contract/screens.ts';

/** Says something on the page; an empty text takes away what was said. */
export type Say = (text: string, role: 'alert' | 'status') => void;

/** Before what the browser offers in the email's field is too old, it is asked for anew. */
const renewMs = 8 * 60_000;

const load = () => Promise.all([import('../app/call.ts'), import('../app/passkey.ts')]);

const form = document.querySelector<HTMLFormElement>('form[data-account-form]');

function inputOf(name: string): HTMLInputElement | undefined {
  const input = form?.elements.namedItem(name);
  return input instanceof HTMLInputElement ? input : undefined;
}

const valueOf = (name: string): string => inputOf(name)?.value ?? '';

const reloadPlace = document.querySelector<HTMLElement>('[data-reload]');

/** Reloads the page. Browsers forget what is typed into a page that is never stored, so the email is kept here. */
reloadPlace?.querySelector('button')?.addEventListener('click', () => {
  sessionStorage.setItem('email', valueOf('email'));
  location.reload();
});

function bringEmailBack(): void {
  const email = inputOf('email');
  if (email) email.value ||= sessionStorage.getItem('email') ?? '';
  sessionStorage.removeItem('email');
}

async function signIn(asked?: RequestOptions): Promise<void> {
  const [{ api }, { signInByPasskey }] = await load();
  const options = asked ?? (await api('GET /auth/passkey/options')).data;
  const next = await signInByPasskey(options, {
    isAutofill: asked !== undefined,
    next: valueOf('next'),
  });
  // The log-in page redirects a signed-in person by their role.
  location.assign(next ?? linkTo('login'));
}

/** Who is in by a passkey alone has no recovery codes yet: the account's page offers them. */
async function acceptInvitation(): Promise<void> {
  const [{ api }, { makePasskey }] = await load();
  const token = valueOf('token');
  const { data } = await api('POST /auth/invitation/options', { body: { token } });
  const credential = await makePasskey(data);
  await api('POST /auth/invitation', { body: { token, credential } });
  location.assign(linkTo('account'));
}

/**
 * Does it, and says what went wrong, unless something else took its place. A page whose files are gone since the site was
 * updated offers to reload. @returns whether it went wrong
 */
async function attempt(say: Say, work: () => Promise<void>): Promise<boolean> {
  const parts = await load().catch(() => undefined);
  if (reloadPlace) reloadPlace.hidden = parts !== undefined;
  if (!parts) {
    say('A part of this page could not be loaded. Please reload the page.', 'alert');
    return true;
  }
  const [{ CallError }, { isSuperseded }] = parts;
  try {
    await work();
    return false;
  } catch (error) {
    if (!isSuperseded(error))
      say(error instanceof CallError ? error.message : 'Something went wrong. Please try again.', 'alert');
    return true;
  }
}

/** Lets the browser offer passkeys in the email's field, where it can, until something else is asked of the device. */
async function offerInField(say: Say): Promise<void> {
  // Older browsers have none of it.
  if (!('isConditionalMediationAvailable' in PublicKeyCredential)) return;
  if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return;
  // Nobody has asked for anything yet: where it does not work, nothing is said.
  const options = await load()
    .then(([{ api }]) => api('GET /auth/passkey/options'))
    .catch(() => undefined);
  if (!options) return;
  const renewing = setTimeout(() => void offerInField(say), renewMs);
  if (await attempt(say, () => signIn(options.data))) clearTimeout(renewing);
}

/** Makes the page's button work. */
export function offerPasskey(place: HTMLElement, say: Say): void {
  const button = place.querySelector('button');
  const isSignIn = place.dataset['passkey'] === 'login';
  place.hidden = false;
  bringEmailBack();
  let isBusy = false;
  // It keeps the focus, which a disabled button loses.
  const setBusy = (is: boolean) => {
    isBusy = is;
    button?.setAttribute('aria-disabled', String(is));
  };
  // Back from the next page, the browser may show this one as it was left.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) setBusy(false);
  });
  button?.addEventListener('click', () => {
    if (isBusy) return;
    say('', 'status');
    setBusy(true);
    void attempt(say, () => (isSignIn ? signIn() : acceptInvitation())).then((isWrong) => {
      setBusy(!isWrong);
      if (isWrong && isSignIn) void offerInField(say);
    });
  });
  if (isSignIn) void offerInField(say);
}
