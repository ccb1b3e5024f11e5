/** Numbers with the word for what is counted, so that the singular is right. */

/** `1 order`, `2 orders`. @param plural for words that take more than an s */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`;
