/** The exports of a section's file: its component, and the sections whose records it shows. */
import type { ComponentType } from 'react';
import type { PublicContent, PublicSectionName } from '#contract/sections/index.ts';

/** The editor's preview passes only the records that it has. Without records, a section renders nothing. */
export interface SectionProps {
  readonly content: Partial<PublicContent>;
}

/** The sections whose records a component shows. */
export type Shows = readonly PublicSectionName[];

export interface SectionFile {
  readonly shows: Shows;
  readonly default: ComponentType<SectionProps>;
}
