/**
 * Makes the login forms work in place: validates before sending, shows errors next to their fields, and keeps typed
 * text. This is plain code instead of an island, and does not use `call.ts`, so that these pages load only a few lines.
 * Without this script, the forms post like any other form.
 */
import { emailTexts, isEmail, safeNext, signInTexts, trimEmail } from '#contract/account-rules.ts';
import { isProblem, type FieldErrors } from '#contract/problem.ts';
import type { FormName } from './account-form.tsx';
import { passwordLength, passwordTexts, strengthOf } from '#contract/password-rules.ts';

/** The message after a form that has no next page. */
const outcomes: Readonly<Record<string, string>> = {
  reset: signInTexts.resetSent,
  'reset-password': signInTexts.passwordChanged,
} satisfies Partial<Record<FormName, string>>;

const unreachable =
  'We could not reach the site. Check your connection and try again; what you typed is still here.';

type Typed = Pick<HTMLInputElement, 'name' | 'value' | 'required' | 'minLength'>;

/** The rule of each field, with the specification's messages. */
const rules: Readonly<Record<string, (input: Typed) => string | undefined>> = {
  email({ value }) {
    const typed = trimEmail(value);
    if (typed === '') return emailTexts.required;
    return isEmail(typed) ? undefined : emailTexts.invalid;
  },
  code: ({ value }) => (value.trim() === '' ? 'Please enter a code.' : undefined),
  password({ value, minLength }) {
    if (value === '') return passwordTexts.required;
    if (value.length < minLength) return passwordTexts.short(minLength);
    return value.length > passwordLength.max ? passwordTexts.long : undefined;
  },
};

/**
 * The error of a field; undefined if it is valid. A field without a rule is always valid, and so is an empty optional
 * field.
 */
const errorOf = (input: Typed): string | undefined =>
  input.value === '' && !input.required ? undefined : rules[input.name]?.(input);

function showNotice(text: string, role: 'alert' | 'status'): void {
  const notice = document.querySelector<HTMLElement>('[data-notice]');
  if (!notice) return;
  notice.hidden = text === '';
  notice.setAttribute('role', role);
  notice.textContent = text;
  // The notice is above the form and may be out of view.
  if (role === 'alert') notice.focus();
}

/** Shows the error of a field below it, or clears it. @returns whether there is an error and a place to show it */
function showError(input: HTMLInputElement, error = ''): boolean {
  const place = document.getElementById(`${input.name}-error`);
  if (!place) return false;
  place.hidden = !error;
  place.textContent = error;
  input.ariaInvalid = error ? 'true' : null;
  // Keeps the field's help text in the description.
  const others = (input.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter((id) => id && id !== place.id);
  input.setAttribute('aria-describedby', (error ? [place.id, ...others] : others).join(' '));
  return error !== '';
}

/** Shows errors next to their fields and clears the others. @returns whether a field has an error */
function showErrors(form: HTMLFormElement, find: (input: HTMLInputElement) => string | undefined): boolean {
  const invalid = Array.from(form.querySelectorAll('input')).filter((input) => showError(input, find(input)));
  invalid[0]?.focus();
  return invalid.length > 0;
}

/** Posts the values of a form as JSON. @returns undefined if they were accepted, otherwise the errors */
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

/** @returns whether another page opens */
async function send(form: HTMLFormElement): Promise<boolean> {
  const values = Object.fromEntries(
    Array.from(new FormData(form), ([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
  showNotice('', 'status');
  if (showErrors(form, errorOf)) return false;
  const problem = await post(form, values);
  if (problem) {
    if (!showErrors(form, ({ name }) => problem.errors[name])) showNotice(problem.detail, 'alert');
    return false;
  }
  const { nextPage, accountForm = '' } = form.dataset;
  const outcome = outcomes[accountForm];
  if (nextPage !== undefined) location.assign(safeNext(values['next']) ?? nextPage);
  else if (outcome !== undefined) {
    showNotice(outcome, 'status');
    for (const part of document.querySelectorAll<HTMLElement>('[data-until-done]')) part.hidden = true;
  }
  return nextPage !== undefined;
}

/** Prevents double submission, and shows that the request is running, until the next page opens. */
async function whileBusy(form: HTMLFormElement, work: () => Promise<boolean>): Promise<void> {
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  if (!(await work())) form.ariaBusy = null;
}

function enhance(form: HTMLFormElement): void {
  // After Back, the form can be sent again.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) form.ariaBusy = null;
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void whileBusy(form, () => send(form));
  });
  // The error is about the previous value.
  form.addEventListener('input', ({ target }) => void showError(target as HTMLInputElement));
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

// The code for passkeys loads only in browsers that support them, and after everything else.
const passkeyPlace = document.querySelector<HTMLElement>('[data-passkey]');
if (passkeyPlace && 'PublicKeyCredential' in window)
  window.addEventListener('load', () => {
    void import('./passkey-sign-in.ts').then(({ offerPasskey }) => offerPasskey(passkeyPlace, showNotice));
  });
