/** Logs in, or accepts an invitation, with a passkey. Only browsers that support passkeys load this file. */
import type { RequestOptions } from '#contract/passkeys.calls.ts';
import { linkTo } from '#contract/screens.ts';

/** Shows a message on the page; an empty text removes it. */
export type Say = (text: string, role: 'alert' | 'status') => void;

/** When to renew the challenge of the email field's passkey offer, before it expires. */
const renewMs = 8 * 60_000;

const load = () => Promise.all([import('../app/call.ts'), import('../app/passkey.ts')]);

const form = document.querySelector<HTMLFormElement>('form[data-account-form]');

function inputOf(name: string): HTMLInputElement | undefined {
  const input = form?.elements.namedItem(name);
  return input instanceof HTMLInputElement ? input : undefined;
}

const valueOf = (name: string): string => inputOf(name)?.value ?? '';

const reloadPlace = document.querySelector<HTMLElement>('[data-reload]');

/** Reloads the page. Stores the email first, because browsers forget the values of a page that is not cached. */
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
  // The login page redirects signed-in users by role.
  location.assign(next ?? linkTo('login'));
}

/** A user who signed up with only a passkey has no recovery codes yet. The account page offers them. */
async function acceptInvitation(): Promise<void> {
  const [{ api }, { makePasskey }] = await load();
  const token = valueOf('token');
  const { data } = await api('POST /auth/invitation/options', { body: { token } });
  const credential = await makePasskey(data);
  await api('POST /auth/invitation', { body: { token, credential } });
  location.assign(linkTo('account'));
}

/** Shows the action's error, and offers to reload if a deployment has removed files. @returns whether it failed */
async function attempt(say: Say, work: () => Promise<void>): Promise<boolean> {
  const parts = await load().catch(() => undefined);
  if (reloadPlace) reloadPlace.hidden = parts !== undefined;
  if (!parts) {
    say('A part of this page could not be loaded. Please reload the page.', 'alert');
    return true;
  }
  const [{ CallError }, { isUnasked }] = parts;
  try {
    await work();
    return false;
  } catch (error) {
    if (!isUnasked(error))
      say(error instanceof CallError ? error.message : 'Something went wrong. Please try again.', 'alert');
    return true;
  }
}

/** Lets the browser offer passkeys in the email field, until another action needs the device. */
async function offerInField(say: Say): Promise<void> {
  // Older browsers do not support passkey autofill.
  if (!('isConditionalMediationAvailable' in PublicKeyCredential)) return;
  if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return;
  // The user has not asked for anything yet, so errors are not shown.
  const options = await load()
    .then(([{ api }]) => api('GET /auth/passkey/options'))
    .catch(() => undefined);
  if (!options) return;
  const renewing = setTimeout(() => void offerInField(say), renewMs);
  if (await attempt(say, () => signIn(options.data))) clearTimeout(renewing);
}

export function offerPasskey(place: HTMLElement, say: Say): void {
  const button = place.querySelector('button');
  const isSignIn = place.dataset['passkey'] === 'login';
  place.hidden = false;
  bringEmailBack();
  let isBusy = false;
  // The button keeps the focus; a disabled button would lose it.
  const setBusy = (is: boolean) => {
    isBusy = is;
    button?.setAttribute('aria-disabled', String(is));
  };
  // After Back, the browser may restore this page as it was.
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
