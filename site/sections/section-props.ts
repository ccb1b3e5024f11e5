/** What every section component takes: the content, of which it reads its own records. */
import type { PublicContent } from '../../worker/contract/sections/index.ts';

export type PublicSectionName = keyof PublicContent;

/** A page passes all content; the editor's preview passes the records it has. A section without records renders nothing. */
export interface SectionProps {
  readonly content: Partial<PublicContent>;
}
