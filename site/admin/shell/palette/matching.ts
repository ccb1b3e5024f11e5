/** Choosing, from what can be opened, what somebody means by a few letters. */

/** A row of what is found. */
export interface Option {
  readonly href: string;
  readonly label: string;
  /** What it is. */
  readonly about: string;
}

/** Rows shown while nothing is typed. */
const usual = 8;

/** The options of whose label each typed word begins a word; those that begin with what was typed first. */
export function matching(options: readonly Option[], typed: string): readonly Option[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return options.slice(0, usual);
  const beginsAWord = (label: string, word: string) =>
    label.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word));
  const matches = options.filter(({ label }) =>
    words.every((word) => beginsAWord(label.toLowerCase(), word)),
  );
  const isFirst = ({ label }: Option) => label.toLowerCase().startsWith(typed.trim().toLowerCase());
  return [...matches.filter(isFirst), ...matches.filter((option) => !isFirst(option))];
}
