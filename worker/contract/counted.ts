/** Formats counts with the right singular or plural. */

/** Returns texts such as `1 order` or `2 orders`. @param plural for words that do not just add an s */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`;
