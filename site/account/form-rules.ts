/** The validation of the login forms, with the specification's messages. */
import { emailTexts, isEmail, trimEmail } from '#contract/account-rules.ts';
import { passwordLength, passwordTexts } from '#contract/password-rules.ts';

type Typed = Pick<HTMLInputElement, 'name' | 'value' | 'required' | 'minLength'>;

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

/** The error of a field; undefined if it is valid. A field without a rule always is, and so is an empty optional one. */
export const errorOf = (input: Typed): string | undefined =>
  input.value === '' && !input.required ? undefined : rules[input.name]?.(input);
