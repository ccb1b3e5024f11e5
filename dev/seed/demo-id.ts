/**
 * Ids of the demo's records. They are the same in every copy, so pages built from one copy match those of every other
 * copy.
 */
import { firstIdAt } from '#contract/ids.ts';
import { sectionNames, type SectionName } from '#contract/sections/index.ts';

const madeAt = Date.UTC(2026, 0);

/**
 * The id of a record.
 * @param index its position in its section
 */
export function demoId(section: SectionName, index: number): string {
  const ofSection = sectionNames.indexOf(section).toString(16).padStart(3, '0');
  return `${firstIdAt(madeAt)}7${ofSection}-8000-${index.toString(16).padStart(12, '0')}`;
}
