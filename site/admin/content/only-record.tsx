/** The form of a single-record section, on the section's home screen. */
import type { SectionName } from '#contract/sections/index.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useReadOnce } from '#site/app/use-read-once.ts';
import { callOf, versioned } from './content-calls.ts';
import { RecordEditor } from './record-editor.tsx';

export default function OnlyRecord({ name, id }: { readonly name: SectionName; readonly id: string }) {
  return (
    <QueryBoundary query={useReadOnce(callOf(name, 'read'), { id })} lines={8}>
      {(answer) => <RecordEditor name={name} start={versioned(answer)} />}
    </QueryBoundary>
  );
}
