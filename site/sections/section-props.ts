/** What the file of a section exports: its component, and which sections' records that shows. */
import type { ComponentType } from 'react';
import type { PublicContent, PublicSectionName } from '#contract/sections/index.ts';

/** A page passes all content; the editor's preview passes the records it has. A section without records renders nothing. */
export interface SectionProps {
  readonly content: Partial<PublicContent>;
}

/** The sections whose records a component shows. */
export type Shows = readonly PublicSectionName[];

export interface SectionFile {
  readonly shows: Shows;
  readonly default: ComponentType<SectionProps>;
}
