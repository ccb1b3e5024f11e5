/**
 * The component of each section. The pages use the same ones, so the editor's preview shows what visitors see.
 * Pages import from their own folder, because this map includes every section's styles.
 */
import type { ComponentType } from 'react';
import type { PublicSectionName } from '#contract/sections/index.ts';
import type { SectionFile, SectionProps } from './section-props.ts';

/** Other files in these folders export no sections. */
const files = import.meta.glob<Partial<SectionFile>>('./*/*.tsx', { eager: true });

export const sectionPreviews: Readonly<Partial<Record<PublicSectionName, ComponentType<SectionProps>>>> =
  Object.fromEntries(
    Object.values(files).flatMap(({ shows = [], default: component }) =>
      component ? shows.map((name) => [name, component] as const) : [],
    ),
  );
