/**
 * Lets the sign-in forms work in place: checks before sending, errors beside their fields, nothing typed lost. It is
 * plain code rather than an island, and it posts by itself rather than through `call.ts`, so that these pages load a
 * few lines: a form that has not got them yet posts as any form does.
 */
import { safeNext, signInTexts } from '#contract/account-rules.ts';
import { isProblem, type FieldErrors } from '#contract/problem.ts';
import type { FormName } from './account-form.tsx';
import { strengthOf } from '#contract/password-rules.ts';
import { checkForm } from './form-rules.ts';

/** What is said in place once a form was taken that names no page to go on to. */
interface Outcome {
  readonly say: string;
  readonly hideForm?: boolean;
}

const outcomes: Readonly<Record<string, Outcome>> = {
  reset: { say: signInTexts.resetSent },
  'reset-password': { say: signInTexts.passwordChanged, hideForm: true },
} satisfies Partial<Record<FormName, Outcome>>;

const unreachable =
  'We could not reach the site. Check your connection and try again; what you typed is still here.';

function showNotice(text: string, role: 'alert' | 'status'): void {
  const notice = document.querySelector<HTMLElement>('[data-notice]');
  if (!notice) return;
  notice.hidden = text === '';
  notice.setAttribute('role', role);
  notice.textContent = text;
  // It stands above the form, where somebody who has pressed the button may not see it.
  if (role === 'alert') notice.focus();
}

/** Writes errors beside their fields and clears the others. @returns whether a field took one */
function showErrors(form: HTMLFormElement, errors: FieldErrors): boolean {
  let first: HTMLInputElement | undefined;
  for (const place of form.querySelectorAll<HTMLElement>('[data-error-for]')) {
    const name = place.dataset['errorFor'] ?? '';
    const input = form.elements.namedItem(name);
    if (!(input instanceof HTMLInputElement)) continue;
    const error = errors[name];
    place.hidden = error === undefined;
    place.textContent = error ?? '';
    input.ariaInvalid = error === undefined ? null : 'true';
    // The help of the field goes on to describe it.
    const others = (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .filter((id) => id && id !== place.id);
    const described = error === undefined ? others : [place.id, ...others];
    if (described.length > 0) input.setAttribute('aria-describedby', described.join(' '));
    else input.removeAttribute('aria-describedby');
    if (error !== undefined) first ??= input;
  }
  first?.focus();
  return first !== undefined;
}

/** Posts a form's values as JSON. @returns undefined when they were taken, else what is wrong */
async function post(
  form: HTMLFormElement,
  values: Readonly<Record<string, string>>,
): Promise<{ detail: string; errors: FieldErrors } | undefined> {
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(values),
  }).catch(() => undefined);
  if (response?.ok) return undefined;
  const problem: unknown = await response?.json().catch(() => undefined);
  return isProblem(problem)
    ? { detail: problem.detail, errors: problem.errors ?? {} }
    : { detail: response ? 'Something went wrong. Please try again.' : unreachable, errors: {} };
}

function isRequired(form: HTMLFormElement, name: string): boolean {
  const input = form.elements.namedItem(name);
  return input instanceof HTMLInputElement && input.required;
}

/** @returns whether it leads on to another page */
async function send(form: HTMLFormElement): Promise<boolean> {
  const values = Object.fromEntries(
    Array.from(new FormData(form), ([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
  showNotice('', 'status');
  const toCheck = Object.entries(values).filter(([name, value]) => value !== '' || isRequired(form, name));
  if (showErrors(form, checkForm(Object.fromEntries(toCheck)))) return false;
  const problem = await post(form, values);
  if (problem) {
    if (!showErrors(form, problem.errors)) showNotice(problem.detail, 'alert');
    return false;
  }
  const { nextPage, accountForm = '' } = form.dataset;
  const outcome = outcomes[accountForm];
  if (nextPage !== undefined) location.assign(safeNext(values['next']) ?? nextPage);
  else if (outcome) {
    showNotice(outcome.say, 'status');
    form.hidden = outcome.hideForm ?? false;
  }
  return nextPage !== undefined;
}

/** Keeps a second press from sending twice, and says that the first is under way, until the next page is there. */
async function whileBusy(form: HTMLFormElement, work: () => Promise<boolean>): Promise<void> {
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  if (!(await work())) form.ariaBusy = null;
}

function enhance(form: HTMLFormElement): void {
  // Back from the next page, the form may be sent again.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) form.ariaBusy = null;
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void whileBusy(form, () => send(form));
  });
  for (const button of form.querySelectorAll<HTMLButtonElement>('[data-show-password]')) {
    const input = button.parentElement?.querySelector('input');
    if (!input) continue;
    const strength = form.querySelector('[data-strength]');
    input.addEventListener('input', () => {
      if (strength) strength.textContent = strengthOf(input.value);
    });
    button.hidden = false;
    button.addEventListener('click', () => {
      const shown = input.type === 'password';
      input.type = shown ? 'text' : 'password';
      button.ariaPressed = String(shown);
    });
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-account-form]')) enhance(form);

// What speaks to the device comes where the browser can, and after all that every visitor needs.
const passkeyPlace = document.querySelector<HTMLElement>('[data-passkey]');
if (passkeyPlace && 'PublicKeyCredential' in window)
  window.addEventListener('load', () => {
    void import('./passkey-way.ts').then(({ offerPasskey }) => offerPasskey(passkeyPlace, showNotice));
  });
