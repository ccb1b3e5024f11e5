/** Finds the options that match a few typed letters. */

export interface Option {
  readonly href: string;
  readonly label: string;
  /** A short description, such as the kind of the result. */
  readonly about: string;
  /** Other words that find the option. */
  readonly words?: string;
}

/** The number of rows before anything is typed. */
const usual = 8;

export const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/**
 * Returns the options in which each typed word starts a word. Labels that start with the text come first, then
 * labels that contain the words, then options with other matching words.
 */
export function matching(options: readonly Option[], typed: string): readonly Option[] {
  const wanted = wordsIn(typed);
  if (wanted.length === 0) return typed.trim() === '' ? options.slice(0, usual) : [];
  const has = (text: string) => {
    const words = wordsIn(text);
    return wanted.every((word) => words.some((one) => one.startsWith(word)));
  };
  const rankOf = ({ label, words = '' }: Option): number => {
    if (!has(`${label} ${words}`)) return -1;
    if (!has(label)) return 2;
    return label.toLowerCase().startsWith(typed.trim().toLowerCase()) ? 0 : 1;
  };
  const ranked = options.map((option) => ({ option, rank: rankOf(option) }));
  return [0, 1, 2].flatMap((rank) => ranked.filter((one) => one.rank === rank).map(({ option }) => option));
}
