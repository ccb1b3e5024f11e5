/** The home screen of every section: the link to what is there, the form for what is not, the list of items. */
import { useQuery } from '@tanstack/react-query';
import { linkToRecord } from '#contract/all-screens.ts';
import { versionOf } from '#contract/etag.ts';
import { linkTo } from '#contract/screens.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { Skeleton } from '#site/ui/loading.tsx';
import {
  callOf,
  can,
  listRecords,
  removeRecord,
  reorderRecords,
  restoreVersion,
  type ContentRecord,
} from './content-calls.ts';
import { recordTitle } from './editor/section-texts.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { AddToRelease } from './releases/add-to-release.tsx';
import type { ExistingChange } from './releases/existing-change.ts';
import { ExistingChangeMarks, useExistingChanges } from './releases/existing-changes.tsx';
import { ItemsPanel } from './lists/items-panel.tsx';
import { sectionItems } from './lists/section-items.tsx';
import { usePublish } from '../shell/publishing.tsx';
import { Panel, ScreenFrame, type SectionScreenProps } from '../shell/screen.tsx';
import { sectionHomes, sectionTitle } from './section-homes.ts';
import { useMutation } from '#site/app/use-mutation.ts';
import { callQuery } from '#site/app/query.ts';

/** Not every section can be added to: the form is fetched where it is shown. */
const AddRecord = lazyPart(() => import('./editor/add-record.tsx'), <Skeleton lines={8} />);
const UploadPanel = lazyPart(() => import('./media/upload-panel.tsx'));

export default function SectionsScreen({ sections }: SectionScreenProps) {
  const home = sectionHomes.find((candidate) => candidate.sections[0] === sections[0]);
  return (
    <ScreenFrame
      title={home?.title ?? 'Site content'}
      back={{ href: linkTo('settings'), label: 'Site content' }}
      intro={home?.about}
    >
      {sections.map((name) => (
        <SectionBlock key={name} name={name} />
      ))}
    </ScreenFrame>
  );
}

function SectionBlock({ name }: { readonly name: SectionName }) {
  const query = useQuery(callQuery(callOf(name, 'list')));
  const held = useExistingChanges({ section: name });
  return (
    <QueryBoundary query={query}>
      {(records) =>
        sectionNamed(name).kind === 'singleton' ? (
          <Singleton name={name} record={records[0]} held={held} />
        ) : (
          <Items name={name} listed={records} held={held} />
        )
      }
    </QueryBoundary>
  );
}

/** The add form while the section is empty, otherwise the link to what is there. */
function Singleton({
  name,
  record,
  held,
}: {
  readonly name: SectionName;
  readonly record: ContentRecord | undefined;
  readonly held: readonly ExistingChange[];
}) {
  const section = sectionNamed(name);
  const { screen, title } = section;
  if (!record) return <AddRecord name={name} isMain />;
  return (
    <Panel
      title={title}
      aside={<LinkButton href={linkToRecord(name, record._id)}>{screen.editLink}</LinkButton>}
    >
      <p>{recordTitle(name, record)}</p>
      <ExistingChangeMarks held={held} recordId={record._id} />
    </Panel>
  );
}

/** The add form, and the items in their order. */
function Items({
  name,
  listed,
  held,
}: {
  readonly name: SectionName;
  readonly listed: readonly ContentRecord[];
  readonly held: readonly ExistingChange[];
}) {
  const section = sectionNamed(name);
  const publish = usePublish();
  const { mutateAsync: orderInRelease } = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    toastsError: true,
  });

  async function remove({ _id }: ContentRecord) {
    const { headers } = await publish(() => removeRecord(name, _id));
    const etag = headers.get('ETag') ?? undefined;
    const version = versionOf(etag);
    return async () => (await publish(() => restoreVersion(_id, version, etag))).data._id;
  }

  return (
    <>
      {name === 'media' && <UploadPanel />}
      {can(name, 'add') && <AddRecord name={name} />}
      <ItemsPanel
        title={sectionTitle(section)}
        itemTitle={section.title}
        kind={{
          ...sectionItems(name),
          marksOf: ({ _id }) => <ExistingChangeMarks held={held} recordId={_id} />,
        }}
        listed={listed}
        onList={() => listRecords(name)}
        onReorder={(order, seen) => publish(() => reorderRecords(name, order, seen))}
        orderElsewhere={(order, orderSeen, onDone) => (
          <AddToRelease
            change={{ section: name, action: 'reorder', order, orderSeen }}
            onSend={(send) => orderInRelease(() => send({})).then(onDone, () => undefined)}
          />
        )}
        onRemove={remove}
      />
    </>
  );
}
