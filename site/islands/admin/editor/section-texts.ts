/** Where the screens say something else of one section than of another, beyond what the registry states. */
import type { SectionName } from '../../../../worker/contract/sections/index.ts';
import { sectionNamed } from '../../../../worker/contract/sections/index.ts';

/** Headings that the specification fixes. */
const fixedHeadings: Partial<Record<SectionName, { readonly add?: string; readonly edit?: string }>> = {
  designItem: { add: 'Update Banner' },
  videoItem: { edit: 'Update Video' },
};

/** Heading of the form that adds or edits a record. */
export function formHeading(name: SectionName, verb: 'add' | 'edit'): string {
  const { title } = sectionNamed(name);
  return fixedHeadings[name]?.[verb] ?? `${verb === 'add' ? 'Add' : 'Edit'} ${title}`;
}

/** Lists whose items are known by a number, shown as numbered cards. */
export const numberFields: Partial<Record<SectionName, string>> = {
  workStep: 'stepNumber',
  step: 'stepNumber',
};
