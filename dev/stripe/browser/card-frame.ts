/** The card field inside its frame: four inputs, what is wrong with them, and the one call that sends them away. */
import {
  brandOf,
  checkCvc,
  checkExpiry,
  checkNumber,
  checkPostalCode,
  cvcLengthOf,
  digitsOf,
  type FieldCheck,
  type FieldError,
  formatExpiry,
  formatNumber,
} from './card-rules.ts';
import { applyStyle } from './card-style.ts';
import {
  type ApiResult,
  type CardCall,
  awaitHost,
  callApi,
  type CardChange,
  type CardOptions,
  type Fields,
  type FromFrame,
  type ToCardFrame,
} from './protocol.ts';

function findInput(name: string): HTMLInputElement {
  const input = document.querySelector(`input[name="${name}"]`);
  if (input instanceof HTMLInputElement) return input;
  throw new Error(`The card frame has no ${name} field.`);
}

interface Field {
  input: HTMLInputElement;
  check: () => FieldCheck;
  format: (text: string, isDeleting: boolean) => string;
}

const number = findInput('cardnumber');
const expiry = findInput('exp-date');
const cvc = findInput('cvc');
const postal = findInput('postal');
const form = number.form;
const icon = document.querySelector('svg');
const iconText = document.querySelector('svg text');

const fields: Field[] = [
  { input: number, check: () => checkNumber(number.value), format: formatNumber },
  { input: expiry, check: () => checkExpiry(expiry.value), format: formatExpiry },
  {
    input: cvc,
    check: () => checkCvc(cvc.value, number.value),
    format: (text) => digitsOf(text).slice(0, cvcLengthOf(digitsOf(number.value))),
  },
  { input: postal, check: () => checkPostalCode(postal.value), format: (text) => text.slice(0, 10) },
];
const iconTexts: Partial<Record<string, string>> = {
  amex: 'AMEX',
  diners: 'DINERS',
  discover: 'DISC',
  jcb: 'JCB',
  mastercard: 'MC',
  unionpay: 'UP',
  visa: 'VISA',
};

let options: CardOptions = {};
let send: (message: FromFrame) => void = () => undefined;
let isSubmitted = false;
let lastChange = '';

const shownFields = () => fields.filter(({ input }) => !input.hidden);

/** What is to be said of a field now: nothing of what is still being typed, unless it was submitted like that. */
function visibleError({ input, check }: Field): FieldError | undefined {
  const { error, isIncomplete } = check();
  const isUnfinished = input.value === '' || input === document.activeElement;
  return isIncomplete && isUnfinished && !isSubmitted ? undefined : error;
}

function describe(): CardChange {
  const shown = shownFields();
  return {
    elementType: 'card',
    brand: brandOf(digitsOf(number.value)),
    complete: shown.every(({ check }) => check().isComplete),
    empty: shown.every(({ input }) => input.value === ''),
    error: shown.map(visibleError).find((error) => error !== undefined),
    value: { postalCode: postal.hidden ? '' : postal.value },
  };
}

/** Shows the state of the fields, and tells the page of it when it has changed. */
function refresh(): void {
  const change = describe();
  for (const field of fields) {
    const error = field.input.hidden ? undefined : visibleError(field);
    field.input.ariaInvalid = error ? 'true' : 'false';
    applyStyle(field.input, options.style, { ...change, isInvalid: error !== undefined });
  }
  if (iconText) iconText.textContent = iconTexts[change.brand] ?? '';
  if (form) send({ type: 'height', heightPx: Math.ceil(form.getBoundingClientRect().height) });
  const serialized = JSON.stringify(change);
  const isFirst = lastChange === '' && change.empty;
  if (serialized !== lastChange && !isFirst) send({ type: 'change', change });
  lastChange = serialized;
}

function applyOptions(next: CardOptions): void {
  options = next;
  postal.hidden = next.hidePostalCode ?? false;
  if (next.value?.postalCode !== undefined && postal.value === '') postal.value = next.value.postalCode;
  icon?.toggleAttribute('hidden', next.hideIcon ?? false);
  for (const { input } of fields) input.disabled = next.disabled ?? false;
  refresh();
}

function neighbourOf(input: HTMLInputElement, step: -1 | 1): HTMLInputElement | undefined {
  const shown = shownFields();
  return shown[shown.findIndex((field) => field.input === input) + step]?.input;
}

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
  if (isAtEnd && !isDeleting && input !== postal && input === document.activeElement && check().isComplete)
    neighbourOf(input, 1)?.focus();
  refresh();
}

for (const field of fields) {
  const { input } = field;
  input.addEventListener('input', (event) => {
    const isDeleting = event instanceof InputEvent && event.inputType.startsWith('delete');
    handleInput(field, isDeleting);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Backspace' && input.value === '') neighbourOf(input, -1)?.focus();
    if (event.key === 'Escape') send({ type: 'escape' });
  });
  input.addEventListener('focus', refresh);
  input.addEventListener('blur', () => {
    // A number that is too long for a narrow page shows its last digits.
    input.scrollLeft = input.scrollWidth;
    refresh();
  });
}
document.addEventListener('focusin', (event) => {
  if (!(event.relatedTarget instanceof HTMLInputElement)) send({ type: 'focus' });
});
document.addEventListener('focusout', (event) => {
  if (!(event.relatedTarget instanceof HTMLInputElement)) send({ type: 'blur' });
});
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  send({ type: 'submit' });
});
if (form) new ResizeObserver(refresh).observe(form);

function clear(): void {
  for (const { input } of fields) input.value = '';
  isSubmitted = false;
  refresh();
}

/** The card's part of a call, beside what the page has sent along: billing details, or a token's card fields. */
function withCard(path: CardCall, given: Fields): Fields {
  const digits = digitsOf(expiry.value);
  const card = {
    number: digitsOf(number.value),
    exp_month: Number(digits.slice(0, 2)),
    exp_year: 2000 + Number(digits.slice(2)),
    cvc: cvc.value,
  };
  const zip = postal.hidden ? undefined : postal.value;
  const asFields = (value: Fields[string]) => (typeof value === 'object' && value !== null ? value : {});
  if (path === '/v1/tokens') return { card: { ...asFields(given['card']), ...card, address_zip: zip } };
  const billing = asFields(given['billing_details']);
  const address = { ...asFields(billing['address']), ...(zip !== undefined && { postal_code: zip }) };
  return { ...given, card, billing_details: { ...billing, address } };
}

async function create(message: Extract<ToCardFrame, { type: 'create' }>): Promise<ApiResult> {
  isSubmitted = true;
  refresh();
  const wrong = shownFields().find(({ check }) => !check().isComplete);
  const error = wrong?.check().error;
  if (!wrong || !error)
    return callApi(
      location.origin,
      message.key,
      'POST',
      message.path,
      withCard(message.path, message.fields),
    );
  wrong.input.focus();
  return { error };
}

function receive(message: ToCardFrame): void {
  if (message.type === 'update') applyOptions(message.options);
  else if (message.type === 'focus')
    (shownFields().find(({ check }) => !check().isComplete)?.input ?? number).focus();
  else if (message.type === 'blur') {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  } else if (message.type === 'clear') clear();
  else void create(message).then((result) => send({ type: 'created', id: message.id, result }));
}

awaitHost((setup, sendToHost) => {
  if (setup.type !== 'card') return;
  send = sendToHost;
  if (form) form.hidden = false;
  applyOptions(setup.options);
  send({ type: 'ready' });
}, receive);
