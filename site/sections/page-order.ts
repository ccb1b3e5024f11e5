/** The sections of a page, found by their files: a new one needs no entry anywhere. */
import { sectionNames } from '#contract/sections/index.ts';
import type { SectionFile } from './section-props.ts';

const placeOf = ({ shows }: SectionFile) => Math.min(...shows.map((name) => sectionNames.indexOf(name)));

/**
 * The sections of a page's folder in the order in which the registry names their sections.
 * @param files what `import.meta.glob('…/*.tsx', { eager: true })` found; a page takes its own folder alone, because
 *   each component brings its styles along
 */
export const inPageOrder = (files: Readonly<Record<string, SectionFile>>): readonly SectionFile[] =>
  Object.values(files).sort((a, b) => placeOf(a) - placeOf(b));
