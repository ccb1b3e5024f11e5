/** The rules and texts for passwords. Screens that do not ask for an email load only this file. */

export const passwordTexts = {
  required: 'Password is Required',
  /** @param minLength in characters */
  short: (minLength: number) => `Minimum ${minLength} Characters`,
  long: 'Maximum 256 Characters',
} as const;

/** The minimum and maximum length of a password, in characters. */
export const passwordLength = { min: 6, max: 256 } as const;

/** The form's hint about a new password while the user types; empty while the password is too short. */
export function strengthOf(password: string): string {
  const distinct = new Set(password.toLowerCase()).size;
  if (password.length < passwordLength.min) return '';
  if (password.length >= 16 && distinct >= 8) return 'Strong password';
  if (password.length >= 12 && distinct >= 6) return 'Good password';
  return 'Weak password: longer is stronger, such as a few unrelated words';
}

/** The minimum length of a staff member's password, in characters. */
export const staffPasswordMinLength = 12;
