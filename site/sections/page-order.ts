/** Finds the sections of a page by their files, so that a new section needs no other entry. */
import { sectionNames } from '#contract/sections/index.ts';
import type { SectionFile } from './section-props.ts';

const placeOf = ({ shows }: SectionFile) => Math.min(...shows.map((name) => sectionNames.indexOf(name)));

/**
 * Returns the sections in a page's folder, in the order of the registry.
 * @param files the result of `import.meta.glob('…/*.tsx', { eager: true })`. A page passes only its own folder,
 *   because each component includes its styles.
 */
export const inPageOrder = (files: Readonly<Record<string, SectionFile>>): readonly SectionFile[] =>
  Object.values(files).sort((a, b) => placeOf(a) - placeOf(b));
