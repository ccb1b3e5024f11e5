/** Choosing, from what can be opened, what somebody means by a few letters. */

/** A row of what is found. */
export interface Option {
  readonly href: string;
  readonly label: string;
  /** What it is. */
  readonly about: string;
  /** Other words by which people look for it. */
  readonly words?: string;
}

/** Rows shown while nothing is typed. */
const usual = 8;

/** The words of a text in small letters. */
export const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/**
 * The options of which each typed word begins a word. First come those whose label begins with what was typed, then those
 * whose label has the words, then those that are known by other words.
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
