/** The tags of an article, separated by commas. Each has a page whose address is derived from the tag. */
import { slugFrom } from './addresses.ts';

export const maxTags = 8;
const maxLength = 40;

/** The tags in a text, without duplicates, ignoring case. The first spelling is kept. */
export function tagsIn(text: string): readonly string[] {
  const tags = new Map<string, string>();
  for (const part of text.split(',')) {
    const tag = part.trim().replace(/\s+/g, ' ');
    if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
  }
  return [...tags.values()];
}

/** @returns undefined if the tag is valid */
export function tagProblem(tag: string): string | undefined {
  const characters = Array.from(tag);
  if (characters.length > maxLength)
    return `The tag “${characters.slice(0, maxLength).join('')}…” is too long: at most ${maxLength} characters. Put commas between tags.`;
  return slugFrom(tag) === ''
    ? `The tag “${tag}” needs a Latin letter or a digit, because the address of its page is made from them.`
    : undefined;
}

/** @returns undefined if all tags in the text are valid */
export function tagsProblem(text: string): string | undefined {
  const tags = tagsIn(text);
  if (tags.length > maxTags) return `Use at most ${maxTags} tags. There are ${tags.length}.`;
  return tags.map(tagProblem).find((problem) => problem !== undefined);
}
