/** The home screen of every section: the form of a single record, or a list with the form for a new item. */
import { useState } from 'react';
import { Plus } from 'lucide-react';
import { linkToRecord } from '#contract/all-screens.ts';
import { versionOf } from '#contract/etag.ts';
import type { FieldKind } from '#contract/field-kinds.ts';
import { editLinkOf, titleInText } from '#contract/section.ts';
import { linkTo } from '#contract/screens.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import type { ContentRecord } from '#contract/section-calls.ts';
import { Badge } from '#site/ui/badge.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { Skeleton } from '#site/ui/loading.tsx';
import {
  callOf,
  can,
  listRecords,
  removeRecord,
  reorderRecords,
  restoreVersion,
  valuesOf,
} from './content-calls.ts';
import { requestFocus } from './editor/pending-focus.ts';
import { recordTitle, recordSummary } from './editor/section-texts.ts';
import { useUnsaved } from './editor/form-store.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { AddToRelease } from './releases/add-to-release.tsx';
import type { ExistingChange } from './releases/existing-change.ts';
import { ExistingChangeMarks, OvertakenNotices, useExistingChanges } from './releases/existing-changes.tsx';
import { ItemsPanel } from './lists/items-panel.tsx';
import { publish, showSaved } from '../shell/publishing.tsx';
import { ScreenFrame, type SectionScreenProps } from '../shell/screen.tsx';
import { addHash, importHash, sectionHomes, sectionTitle } from './section-homes.ts';
import { useCall } from '#site/app/query.ts';
import { Icon } from '#site/ui/icon.tsx';
import { row } from '#site/ui/layout.ts';
import { checkAddress } from './editor/address-check.ts';
import type { ItemKind } from './lists/item.tsx';

/** Loaded on demand, because some sections accept no new records. */
const AddRecord = lazyPart(() => import('./editor/add-record.tsx'), <Skeleton lines={8} />);
const UploadPanel = lazyPart(() => import('./media/upload-panel.tsx'));
const OnlyRecord = lazyPart(() => import('./record-editor.tsx'), <Skeleton lines={8} />);

export default function SectionsScreen({ sections }: SectionScreenProps) {
  const home = sectionHomes.find((candidate) => candidate.sections[0] === sections[0]);
  return (
    <ScreenFrame
      title={home?.title ?? 'Site content'}
      back={{ href: linkTo('settings'), label: 'Site content' }}
      intro={home?.about}
    >
      {sections.map((name) => (
        <SectionBlock key={name} name={name} isAlone={sections.length === 1} />
      ))}
    </ScreenFrame>
  );
}

function SectionBlock({ name, isAlone }: { readonly name: SectionName; readonly isAlone: boolean }) {
  const { kind, title } = sectionNamed(name);
  const query = useCall(callOf(name, 'list'));
  const existing = useExistingChanges({ section: name });
  return (
    <QueryBoundary query={query}>
      {(records) => {
        const [record] = records;
        if (kind === 'singleton' && !record) return <AddRecord name={name} isMain />;
        if (kind !== 'list' && isAlone && record && records.length === 1)
          return (
            <>
              <div>
                <EditLink name={name} id={record._id} />
              </div>
              <OnlyRecord key={record._id} name={name} id={record._id} />
            </>
          );
        return (
          <>
            <OvertakenNotices existing={existing} />
            {kind === 'singleton' && record ? (
              <Card title={title} aside={<EditLink name={name} id={record._id} />}>
                <p>{recordTitle(name, record)}</p>
                <ExistingChangeMarks existing={existing} recordId={record._id} />
              </Card>
            ) : (
              <Items name={name} listed={records} existing={existing} />
            )}
          </>
        );
      }}
    </QueryBoundary>
  );
}

const EditLink = ({ name, id }: { readonly name: SectionName; readonly id: string }) => (
  <LinkButton href={linkToRecord(name, id)} variant="secondary" size="small">
    {editLinkOf(sectionNamed(name))}
  </LinkButton>
);

/**
 * The button above a list, and the form that it opens. The form is already open if it contains unsaved text, if the URL
 * asks for it, or if it is what the specification shows on this screen. An empty list has the form without the button.
 */
function AddItem({ name, isFirst }: { readonly name: SectionName; readonly isFirst: boolean }) {
  const section = sectionNamed(name);
  const isTyped = useUnsaved().some((form) => form.section === name && form.recordId === undefined);
  const [isOpen, setIsOpen] = useState(
    isFirst || location.hash === addHash || section.screen.headings?.add !== undefined,
  );
  const [wasTyped, setWasTyped] = useState(false);
  if (isTyped && !wasTyped) {
    setWasTyped(true);
    setIsOpen(true);
  }
  return (
    <>
      {(!isFirst || name === 'article') && (
        <div className={row(3)}>
          {!isFirst && (
            <Button
              variant="secondary"
              icon={<Plus size="1.125rem" />}
              aria-expanded={isOpen}
              onClick={() => {
                if (!isOpen) requestFocus(location.pathname, undefined);
                setIsOpen(!isOpen);
              }}
            >
              Add {titleInText(section)}
            </Button>
          )}
          {name === 'article' && (
            <LinkButton variant="secondary" href={linkTo('releases') + importHash}>
              Import articles
            </LinkButton>
          )}
        </div>
      )}
      {(isOpen || isFirst) && <AddRecord name={name} />}
    </>
  );
}

interface ItemsProps {
  readonly name: SectionName;
  readonly listed: readonly ContentRecord[];
  readonly existing: readonly ExistingChange[];
}

function Items({ name, listed, existing }: ItemsProps) {
  const section = sectionNamed(name);
  const unsaved = useUnsaved();

  async function remove({ _id }: ContentRecord) {
    const { headers } = await publish(() => removeRecord(name, _id));
    const etag = headers.get('ETag') ?? undefined;
    const version = versionOf(etag);
    return async () => (await publish(() => restoreVersion(_id, version, etag))).data._id;
  }

  return (
    <>
      {name === 'media' && <UploadPanel />}
      {can(name, 'add') && <AddItem name={name} isFirst={listed.length === 0} />}
      <ItemsPanel
        title={sectionTitle(section)}
        itemTitle={section.title}
        kind={{
          ...sectionItems(name),
          badgesOf: ({ _id }) =>
            unsaved.some(({ recordId }) => recordId === _id) && <Badge tone="warning">Not saved</Badge>,
          marksOf: ({ _id }) => <ExistingChangeMarks existing={existing} recordId={_id} />,
        }}
        listed={listed}
        onList={() => listRecords(name)}
        onReorder={(order, seen) => publish(() => reorderRecords(name, order, seen))}
        orderElsewhere={(order, orderSeen, onDone) => (
          <AddToRelease change={{ section: name, action: 'reorder', order, orderSeen }} onDone={onDone} />
        )}
        onRemove={remove}
        showDone={showSaved}
      />
    </>
  );
}

/** Returns the first field of a kind that has a value in the record. */
function valueOfKind(name: SectionName, record: ContentRecord, kind: FieldKind): string | undefined {
  const found = Object.entries(sectionNamed(name).fields).find(
    ([field, definition]) => definition.kind === kind && record[field] !== '',
  );
  return found && record[found[0]];
}

function pictureOf(name: SectionName, record: ContentRecord) {
  const image = valueOfKind(name, record, 'image');
  if (image !== undefined && checkAddress(image, 'image') === 'fine')
    return <img src={image} alt="" loading="lazy" />;
  const icon = valueOfKind(name, record, 'icon');
  return icon !== undefined && <Icon name={icon} />;
}

/** The texts and pictures of a section's items in a list, from the registry. */
function sectionItems(name: SectionName): ItemKind {
  const section = sectionNamed(name);
  const { numberField } = section;
  return {
    titleOf: (record) => recordTitle(name, record),
    summaryOf: (record) => recordSummary(name, record),
    textsOf: (record) => Object.values(valuesOf(name, record)),
    pictureOf: (record) => pictureOf(name, record),
    ...(numberField !== undefined && { numberOf: (record) => record[numberField] ?? '' }),
    edit: { linkTo: (id) => linkToRecord(name, id), label: editLinkOf(section) },
    canRemove: can(name, 'remove'),
    canReorder: can(name, 'reorder'),
  };
}
