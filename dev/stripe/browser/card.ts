/** The card field inside its frame: three inputs, their errors, and the only call that sends them. */
import type { StripeElementStyle } from '@stripe/stripe-js';
import { type ApiResult, callApi, type Fields } from './api.ts';
import {
  checkCvc,
  checkExpiry,
  checkNumber,
  cvcLengthOf,
  digitsOf,
  type FieldError,
  formatExpiry,
  formatNumber,
  isIncomplete,
} from './card-rules.ts';
import { type CardChange, tell, type ToFrame } from './frame.ts';

const form = document.body.appendChild(document.createElement('form'));
form.noValidate = true;
// Hidden until the page has sent its style.
form.hidden = true;
form.innerHTML = `<svg width="26" height="18" aria-hidden="true"><rect x=".5" y=".5" width="25" height="17" rx="2.5" /><path d="M1 5h24" /></svg>
  <button hidden></button>`;

function addField(
  [name, placeholder, ariaLabel, autocomplete]: string[],
  check: (text: string) => FieldError | undefined,
  format: (text: string, isDeleting: boolean) => string,
) {
  const input = document.createElement('input');
  Object.assign(input, { name, placeholder, ariaLabel, autocomplete, inputMode: 'numeric' });
  form.appendChild(input);
  return { input, format, check: () => check(input.value) };
}
type Field = ReturnType<typeof addField>;

const number = addField(
  ['cardnumber', 'Card number', 'Credit or debit card number', 'cc-number'],
  checkNumber,
  formatNumber,
);
const expiry = addField(
  ['exp-date', 'MM / YY', 'Credit or debit card expiration date', 'cc-exp'],
  checkExpiry,
  formatExpiry,
);
const cvc = addField(
  ['cvc', 'CVC', 'Credit or debit card CVC/CVV', 'cc-csc'],
  (text) => checkCvc(text, number.input.value),
  (text) => digitsOf(text).slice(0, cvcLengthOf(digitsOf(number.input.value))),
);
const fields = [number, expiry, cvc];

let style: StripeElementStyle = {};
let isSubmitted = false;

/** The error to show for a field. An unfinished field has none, unless it was submitted. */
function visibleError({ input, check }: Field): FieldError | undefined {
  const error = check();
  const isUnfinished = input.value === '' || input === document.activeElement;
  return error && isIncomplete(error) && isUnfinished && !isSubmitted ? undefined : error;
}

const describe = (): CardChange => ({
  complete: fields.every(({ check }) => !check()),
  empty: fields.every(({ input }) => input.value === ''),
  error: fields.map(visibleError).find((error) => error !== undefined),
});
let lastChange = JSON.stringify(describe());

/** Applies the page's style to an input, property by property, limited to the properties that Stripe also allows. */
function applyStyle(input: HTMLInputElement, isInvalid: boolean): void {
  const invalid = isInvalid ? { color: '#eb1c26', iconColor: '#eb1c26', ...style.invalid } : {};
  const merged = { ...style.base, ...invalid };
  for (const property of ['color', 'fontFamily', 'fontSize', 'fontWeight', 'letterSpacing'] as const)
    input.style[property] = String(merged[property] ?? '');
  form.style.setProperty('--placeholder-color', style.base?.['::placeholder']?.color ?? '');
  form.style.setProperty('--icon-color', merged.iconColor ?? '');
}

/** Shows the state of the fields, and tells the page when it has changed. */
function refresh(): void {
  for (const field of fields) {
    const isInvalid = visibleError(field) !== undefined;
    field.input.ariaInvalid = String(isInvalid);
    applyStyle(field.input, isInvalid);
  }
  tell({ type: 'height', heightPx: Math.ceil(form.getBoundingClientRect().height) });
  const change = describe();
  const serialized = JSON.stringify(change);
  if (serialized !== lastChange) tell({ type: 'change', change });
  lastChange = serialized;
}

/** Formats the end of a field's text, and moves to the next field when this one is complete. */
function handleInput(field: Field, isDeleting: boolean): void {
  const { input, check, format } = field;
  isSubmitted = false;
  if (input.selectionStart === input.value.length) {
    input.value = format(input.value, isDeleting);
    const isDone = !isDeleting && input === document.activeElement && !check();
    if (isDone) fields[fields.indexOf(field) + 1]?.input.focus();
  }
  refresh();
}

for (const field of fields) {
  field.input.addEventListener('input', (event) =>
    handleInput(field, event instanceof InputEvent && event.inputType.startsWith('delete')),
  );
  field.input.addEventListener('focus', refresh);
  field.input.addEventListener('blur', refresh);
}
window.addEventListener('focus', () => tell({ type: 'focus' }));
window.addEventListener('blur', () => tell({ type: 'blur' }));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  tell({ type: 'submit' });
});
new ResizeObserver(refresh).observe(form);

async function createPaymentMethod(key: string, billing_details: Fields): Promise<ApiResult> {
  isSubmitted = true;
  refresh();
  for (const { input, check } of fields) {
    const error = check();
    if (!error) continue;
    input.focus();
    return { error };
  }
  const date = digitsOf(expiry.input.value);
  const card = {
    number: digitsOf(number.input.value),
    exp_month: Number(date.slice(0, 2)),
    exp_year: 2000 + Number(date.slice(2)),
    cvc: cvc.input.value,
  };
  return callApi('POST', 'payment_methods', key, { type: 'card', card, billing_details });
}

window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent) return;
  // Tools such as axe send other messages.
  const message = data as ToFrame | { type: undefined };
  if (message.type === 'create')
    void createPaymentMethod(message.key, message.billing).then((result) =>
      tell({ type: 'created', result }),
    );
  if (message.type === 'style') {
    style = message.style;
    form.hidden = false;
    refresh();
  }
});
tell({ type: 'ready' });
