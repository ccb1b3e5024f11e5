import { linkToHome } from '#contract/all-screens.ts';
import { titleInText } from '#contract/section.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { Skeleton } from '#site/ui/loading.tsx';
import { callOf, versioned } from './content-calls.ts';
import { formHeading } from './editor/section-texts.ts';
import { RecordEditor } from './record-editor.tsx';
import { LoadedScreen, type SectionScreenProps } from '../shell/screen.tsx';
import { sectionTitle } from './section-homes.ts';
import { useReadOnce } from '#site/app/query.ts';
import { lazyPart } from '#site/app/lazy-part.tsx';

const EditInRelease = lazyPart(() => import('./releases/edit-in-release.tsx'), <Skeleton lines={8} />);

export default function EditRecord({ sections: [name], id, release = '' }: SectionScreenProps) {
  if (!name) throw new Error('This screen edits no section.');
  return release === '' ? (
    <RecordScreen name={name} id={id} />
  ) : (
    <EditInRelease name={name} id={id} releaseId={release} />
  );
}

function RecordScreen({ name, id }: { readonly name: SectionName; readonly id: string }) {
  const section = sectionNamed(name);
  const { data, ...start } = useReadOnce(callOf(name, 'read'), { id });
  return (
    <LoadedScreen
      title={formHeading(name, 'edit')}
      back={{ href: linkToHome(name), label: sectionTitle(section) }}
      intro={section.about}
      missing={{
        title: `We could not find this ${titleInText(section)}`,
        why: 'It may have been removed. You can restore removed items under Publications.',
      }}
      query={{ ...start, data: data && versioned(data) }}
      lines={10}
    >
      {(start) => <RecordEditor name={name} start={start} />}
    </LoadedScreen>
  );
}
