/** Finds the record and field for a click in the preview, by the text at that position. */
import { sectionNamed, type PublicSectionName } from '#contract/sections/index.ts';
import { titleFieldOf } from '#contract/section.ts';
import type { SiteContent } from './content-shown.ts';

export interface ClickTarget {
  readonly section: PublicSectionName;
  /** Undefined if the section has no such record. */
  readonly id?: string;
  readonly field?: string;
}

interface Candidate extends Required<ClickTarget> {
  readonly text: string;
}

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** The minimum length of a text to search for within others. Shorter texts may match by chance. */
const minTextLength = 3;

const candidatesOf = (content: SiteContent, sections: readonly PublicSectionName[]): readonly Candidate[] =>
  sections.flatMap((section) =>
    (content[section] ?? []).flatMap((record) =>
      Object.keys(sectionNamed(section).fields)
        .map((field) => ({ section, id: record._id, field, text: plain(record[field] ?? '') }))
        .filter(({ text }) => text !== ''),
    ),
  );

/**
 * Returns the only record whose texts are part of a larger text, with the matching field or otherwise its title field.
 */
function containedIn(text: string, candidates: readonly Candidate[]): Required<ClickTarget> | undefined {
  const contained = candidates.filter((one) => one.text.length >= minTextLength && text.includes(one.text));
  const [first, ...others] = contained;
  if (!first || others.some(({ id }) => id !== first.id)) return undefined;
  const { section, id } = first;
  return { section, id, field: others.length === 0 ? first.field : titleFieldOf(sectionNamed(section)) };
}

/**
 * @param texts the clicked text or picture URL, then the text of each element around it, up to the section
 * @param sections the sections shown in that part of the page
 */
export function findFieldAt(
  texts: readonly string[],
  content: SiteContent,
  sections: readonly PublicSectionName[],
): ClickTarget | undefined {
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
