/** The minimum length of a search, in characters. */
export const minSearchLength = 2;
