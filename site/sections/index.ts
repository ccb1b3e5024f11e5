/**
 * Which component shows which section: the very ones the pages use, so that the editor's preview is what visitors will
 * see. Pages take the components of their own folder, because this map brings every section's styles along.
 */
import type { ComponentType } from 'react';
import type { PublicSectionName } from '#contract/sections/index.ts';
import type { SectionFile, SectionProps } from './section-props.ts';

/** Files beside a section's, such as parts of it, show none. */
const files = import.meta.glob<Partial<SectionFile>>('./*/*.tsx', { eager: true });

export const sectionPreviews: Readonly<Partial<Record<PublicSectionName, ComponentType<SectionProps>>>> =
  Object.fromEntries(
    Object.values(files).flatMap(({ shows = [], default: component }) =>
      component ? shows.map((name) => [name, component] as const) : [],
    ),
  );
