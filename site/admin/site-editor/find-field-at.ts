/** Which field of which record somebody means who clicks into the page: the one whose text stands there. */
import { sectionNamed, type PublicSectionName } from '#contract/sections/index.ts';
import { titleFieldOf } from '#contract/section.ts';
import type { SiteContent } from './content-shown.ts';

export interface Meant {
  readonly section: PublicSectionName;
  /** Absent where the section has no record that is meant. */
  readonly id?: string;
  readonly field?: string;
}

interface Candidate extends Required<Meant> {
  readonly text: string;
}

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Shorter texts stand within others by chance. */
const leastContained = 3;

const candidatesOf = (content: SiteContent, sections: readonly PublicSectionName[]): readonly Candidate[] =>
  sections.flatMap((section) =>
    (content[section] ?? []).flatMap((record) =>
      Object.keys(sectionNamed(section).fields)
        .map((field) => ({ section, id: record._id, field, text: plain(record[field] ?? '') }))
        .filter(({ text }) => text !== ''),
    ),
  );

/** The one record of which texts stand in a larger text, with the one field, or else that which names it. */
function containedIn(text: string, candidates: readonly Candidate[]): Required<Meant> | undefined {
  const contained = candidates.filter((one) => one.text.length >= leastContained && text.includes(one.text));
  const [first, ...others] = contained;
  if (!first || others.some(({ id }) => id !== first.id)) return undefined;
  const { section, id } = first;
  return { section, id, field: others.length === 0 ? first.field : titleFieldOf(sectionNamed(section)) };
}

/**
 * @param texts what was clicked, as a text or the address of a picture, then each element around it, out to the part of the page
 * @param sections those that the part shows
 */
export function findFieldAt(
  texts: readonly string[],
  content: SiteContent,
  sections: readonly PublicSectionName[],
): Meant | undefined {
  const candidates = candidatesOf(content, sections);
  for (const raw of texts) {
    const text = plain(raw);
    if (text === '') continue;
    const found = candidates.find((one) => one.text === text) ?? containedIn(text, candidates);
    if (found) return { section: found.section, id: found.id, field: found.field };
  }
  const [section] = sections;
  if (section === undefined) return undefined;
  const [only, another] = content[section] ?? [];
  return { section, ...(only && !another && { id: only._id }) };
}
