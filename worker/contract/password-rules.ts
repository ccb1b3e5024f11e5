/** What a password must be, and the words for one that is not, for screens that ask for no email. */

export const passwordTexts = {
  required: 'Password is Required',
  short: 'Minimum 6 Characters',
  long: 'Maximum 256 Characters',
} as const;

/** Lengths of a password, in characters. */
export const passwordLength = { min: 6, max: 256 } as const;

/** Shortest password of an administrator. */
export const adminPasswordMinLength = 12;
