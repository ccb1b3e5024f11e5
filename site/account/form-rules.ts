/** The validation of the login forms, with the specification's messages. */
import { emailTexts, isEmail, trimEmail } from '#contract/account-rules.ts';
import { passwordLength, passwordTexts } from '#contract/password-rules.ts';

const rules: Readonly<Record<string, (value: string) => string | undefined>> = {
  email(value) {
    const typed = trimEmail(value);
    if (typed === '') return emailTexts.required;
    return isEmail(typed) ? undefined : emailTexts.invalid;
  },
  code: (value) => (value.trim() === '' ? 'Please enter a code.' : undefined),
  password(value) {
    if (value === '') return passwordTexts.required;
    if (value.length < passwordLength.min) return passwordTexts.short;
    return value.length > passwordLength.max ? passwordTexts.long : undefined;
  },
};

/** Maps each field to its error. Fields without a rule are always valid. */
export function checkForm(values: Readonly<Record<string, string>>): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const error = rules[name]?.(value);
    if (error !== undefined) errors[name] = error;
  }
  return errors;
}
