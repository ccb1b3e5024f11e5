/** The card field inside its frame: three inputs, what is wrong with them, and the one call that sends them away. */
import type { StripeElementStyle } from '@stripe/stripe-js';
import {
  brandOf,
  checkCvc,
  checkExpiry,
  checkNumber,
  cvcLengthOf,
  digitsOf,
  type FieldCheck,
  type FieldError,
  formatExpiry,
  formatNumber,
} from './card-rules.ts';
import {
  type ApiResult,
  callApi,
  type CardChange,
  type Fields,
  type FromCardFrame,
  type ToCardFrame,
} from './protocol.ts';

interface Field {
  input: HTMLInputElement;
  check: () => FieldCheck;
  format: (text: string, isDeleting: boolean) => string;
}

function findElement<T extends Element>(selector: string, kind: new () => T): T {
  const element = document.querySelector(selector);
  if (element instanceof kind) return element;
  throw new Error(`The card frame has no ${selector}.`);
}

const form = findElement('form', HTMLFormElement);
const number = findElement('[name="cardnumber"]', HTMLInputElement);
const expiry = findElement('[name="exp-date"]', HTMLInputElement);
const cvc = findElement('[name="cvc"]', HTMLInputElement);

const fields: Field[] = [
  { input: number, check: () => checkNumber(number.value), format: formatNumber },
  { input: expiry, check: () => checkExpiry(expiry.value), format: formatExpiry },
  {
    input: cvc,
    check: () => checkCvc(cvc.value, number.value),
    format: (text) => digitsOf(text).slice(0, cvcLengthOf(digitsOf(number.value))),
  },
];

let style: StripeElementStyle = {};
let host: MessagePort | undefined;
let isSubmitted = false;
let lastChange = '';

const tell = (message: FromCardFrame) => host?.postMessage(message);

/** What is to be said of a field now: nothing of what is still being typed, unless it was submitted like that. */
function visibleError({ input, check }: Field): FieldError | undefined {
  const { error, isIncomplete } = check();
  const isUnfinished = input.value === '' || input === document.activeElement;
  return isIncomplete && isUnfinished && !isSubmitted ? undefined : error;
}

function describe(): CardChange {
  return {
    elementType: 'card',
    brand: brandOf(digitsOf(number.value)),
    complete: fields.every(({ check }) => check().isComplete),
    empty: fields.every(({ input }) => input.value === ''),
    error: fields.map(visibleError).find((error) => error !== undefined),
  };
}

/** Puts the page's style on an input, property by property, from a list of what Stripe allows too. */
function applyStyle(input: HTMLInputElement, isInvalid: boolean): void {
  const invalid = isInvalid ? { color: '#eb1c26', iconColor: '#eb1c26', ...style.invalid } : {};
  const merged = { ...style.base, ...invalid };
  for (const property of ['color', 'fontFamily', 'fontSize', 'fontWeight', 'letterSpacing'] as const)
    input.style[property] = String(merged[property] ?? '');
  form.style.setProperty('--placeholder-color', style.base?.['::placeholder']?.color ?? '');
  form.style.setProperty('--icon-color', merged.iconColor ?? '');
}

/** Shows the state of the fields, and tells the page of it when it has changed. */
function refresh(): void {
  const change = describe();
  for (const field of fields) {
    const isInvalid = visibleError(field) !== undefined;
    field.input.ariaInvalid = String(isInvalid);
    applyStyle(field.input, isInvalid);
  }
  tell({ type: 'height', heightPx: Math.ceil(form.getBoundingClientRect().height) });
  const serialized = JSON.stringify(change);
  const isFirst = lastChange === '' && change.empty;
  if (serialized !== lastChange && !isFirst) tell({ type: 'change', change });
  lastChange = serialized;
}

const neighbourOf = (input: HTMLInputElement, step: -1 | 1) =>
  fields[fields.findIndex((field) => field.input === input) + step]?.input;

/** Formats a field without moving the caret off the digit that it follows, and goes on when the field is complete. */
function handleInput({ input, check, format }: Field, isDeleting: boolean): void {
  isSubmitted = false;
  const caret = input.selectionStart ?? input.value.length;
  const isAtEnd = caret === input.value.length;
  const digitsBefore = digitsOf(input.value.slice(0, caret)).length;
  const formatted = format(input.value, isDeleting);
  if (formatted !== input.value) {
    input.value = formatted;
    let position = isAtEnd ? formatted.length : 0;
    while (!isAtEnd && digitsOf(formatted.slice(0, position)).length < digitsBefore) position += 1;
    input.setSelectionRange(position, position);
  }
  const isDone = isAtEnd && !isDeleting && input === document.activeElement && check().isComplete;
  if (isDone) neighbourOf(input, 1)?.focus();
  refresh();
}

for (const field of fields) {
  const { input } = field;
  input.addEventListener('input', (event) =>
    handleInput(field, event instanceof InputEvent && event.inputType.startsWith('delete')),
  );
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Backspace' && input.value === '') neighbourOf(input, -1)?.focus();
  });
  input.addEventListener('focus', refresh);
  input.addEventListener('blur', refresh);
}
for (const [name, type] of [
  ['focusin', 'focus'],
  ['focusout', 'blur'],
] as const)
  form.addEventListener(name, ({ relatedTarget }) => {
    if (!(relatedTarget instanceof HTMLInputElement)) tell({ type });
  });
form.addEventListener('submit', (event) => {
  event.preventDefault();
  tell({ type: 'submit' });
});
new ResizeObserver(refresh).observe(form);

async function createPaymentMethod(key: string, billing_details: Fields): Promise<ApiResult> {
  isSubmitted = true;
  refresh();
  const wrong = fields.find(({ check }) => !check().isComplete);
  const error = wrong?.check().error;
  if (wrong && error) {
    wrong.input.focus();
    return { error };
  }
  const date = digitsOf(expiry.value);
  const card = {
    number: digitsOf(number.value),
    exp_month: Number(date.slice(0, 2)),
    exp_year: 2000 + Number(date.slice(2)),
    cvc: cvc.value,
  };
  return callApi('POST', '/v1/payment_methods', key, { type: 'card', card, billing_details });
}

window.addEventListener('message', ({ source, ports: [port] }) => {
  if (source !== window.parent || !port) return;
  host = port;
  port.onmessage = ({ data, ports: [reply] }) => {
    // Only this folder's script has the other end.
    const message = data as ToCardFrame;
    if (message.type === 'create')
      void createPaymentMethod(message.key, message.billing).then((result) => reply?.postMessage(result));
    else {
      style = message.style;
      form.hidden = false;
      refresh();
    }
  };
  tell({ type: 'ready' });
});
