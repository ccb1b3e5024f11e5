/** What a password must be, and the words for one that is not, for screens that ask for no email. */

export const passwordTexts = {
  required: 'Password is Required',
  short: 'Minimum 6 Characters',
  long: 'Maximum 256 Characters',
} as const;

/** Lengths of a password, in characters. */
export const passwordLength = { min: 6, max: 256 } as const;

/** What is said of a new password while it is typed; empty while it is too short to say anything. */
export function strengthOf(password: string): string {
  const distinct = new Set(password.toLowerCase()).size;
  if (password.length < passwordLength.min) return '';
  if (password.length >= 16 && distinct >= 8) return 'Strong password';
  if (password.length >= 12 && distinct >= 6) return 'Good password';
  return 'Weak password: longer is stronger, such as a few unrelated words';
}

/** Shortest password of an administrator. */
export const adminPasswordMinLength = 12;
