/** One change in a release, before and after, and the choice if someone else saved in the meantime. */
import { useState } from 'react';
import { linkToRecord } from '#contract/all-screens.ts';
import { linkTo } from '#contract/screens.ts';
import { etagOf } from '#contract/etag.ts';
import type { ReleaseChange, ReleaseConflict } from '#contract/releases.calls.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Card } from '#site/ui/card.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { ActionButton } from '#site/app/action-button.tsx';
import { api } from '#site/app/call.ts';
import { actionTexts, titleOf } from '../editor/section-texts.ts';
import { ConflictChoices } from '../editor/conflict-panel.tsx';
import { Difference, FieldDifferences } from '../editor/difference.tsx';
import { fieldLabel, shownChange } from '../editor/record-changes.ts';
import { addChange } from './release-calls.ts';
import { row } from '#site/ui/layout.ts';

const done = { add: 'added', update: 'updated', remove: 'removed', reorder: 'reordered' } as const;

interface ReleaseChangeProps {
  readonly releaseId: string;
  readonly change: ReleaseChange;
  readonly isOpen: boolean;
}

export function ReleaseChangeCard(props: ReleaseChangeProps) {
  const { releaseId, change, isOpen } = props;
  const { _id, version, section, recordId, action, title, changes, order, conflict, recordVersion } = change;
  const name = `${sectionNamed(section).title} ${actionTexts[done[action]]}${action === 'reorder' ? '' : `: ${titleOf(section, title)}`}`;
  const isLive = recordId !== null && recordVersion !== null;
  return (
    <Card title={name} headingLevel={3}>
      {conflict && <Conflict {...props} />}
      {order ? (
        <Difference before={order.before.join('\n')} after={order.after.join('\n')} />
      ) : (
        <FieldDifferences changes={changes.map((each) => shownChange(section, each))} />
      )}
      {isOpen && (
        <div className={row(3, 'flush')}>
          {recordId !== null && (action === 'add' || (isLive && action === 'update')) && (
            <TextLink href={linkToRecord(section, recordId, releaseId)} aria-label={`Edit: ${name}`}>
              Edit
            </TextLink>
          )}
          {isLive && action === 'update' && (
            <TextLink href={linkToRecord(section, recordId)}>Open the live version</TextLink>
          )}
          <ActionButton
            variant="quiet"
            size="small"
            aria-label={`Remove from the release: ${name}`}
            action={() =>
              api('DELETE /release/:id/changes/:change', { id: [releaseId, _id], ifMatch: etagOf(version) })
            }
            done="Removed from the release"
          >
            Remove from the release
          </ActionButton>
        </div>
      )}
    </Card>
  );
}

function adviceFor(kind: ReleaseConflict['kind'], action: ReleaseChange['action']): string {
  if (kind === 'removed')
    return 'To keep this change, restore the item. Otherwise, remove the change from the release.';
  if (kind === 'changed')
    return action === 'update'
      ? 'Choose a version for each field.'
      : 'Remove this change from the release, or apply it anyway.';
  return action === 'add'
    ? 'Edit it, or remove it from the release.'
    : 'Remove this change from the release.';
}

function Conflict({ releaseId, change }: Pick<ReleaseChangeProps, 'releaseId' | 'change'>) {
  const { section, recordId, action, version, recordVersion, conflict, order } = change;
  const fields = (conflict?.fields ?? []).map(({ field, theirs, mine }) => ({
    field,
    label: fieldLabel(section, field),
    theirs,
    mine,
    changedByBoth: true,
  }));
  const [values, setValues] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(fields.map(({ field, mine }) => [field, mine])),
  );
  if (!conflict) return null;
  const decided = {
    section,
    action,
    recordId: recordId ?? undefined,
    version: recordVersion ?? undefined,
    ...(action === 'update' && { values }),
    ...(order && { order: order.ids, orderSeen: order.idsBefore }),
  };

  return (
    <>
      <Alert
        tone="warning"
        title={conflict.detail}
        action={
          conflict.kind === 'removed' ? (
            <TextLink href={linkTo('publications')}>See the removed items</TextLink>
          ) : undefined
        }
      >
        {adviceFor(conflict.kind, action)}
      </Alert>
      {conflict.kind === 'changed' && (
        <>
          {action === 'remove' && (
            <>
              <p>Changes to the live version:</p>
              <FieldDifferences
                changes={conflict.fields.map(({ field, base, theirs }) =>
                  shownChange(section, { field, before: base, after: theirs }),
                )}
              />
              <p>This is what would be removed:</p>
            </>
          )}
          {action === 'update' && (
            <ConflictChoices
              mineLabel="The release's version"
              section={section}
              fields={fields}
              values={values}
              setValue={(field, value) => setValues((all) => ({ ...all, [field]: value }))}
            />
          )}
          <div className={row(3)}>
            <ActionButton action={() => addChange(releaseId, decided, version)} done="Choice saved">
              {action === 'update' ? 'Use this version' : 'Apply it anyway'}
            </ActionButton>
          </div>
        </>
      )}
    </>
  );
}
