/** Asks which release to add a change to, and whether the change replaces an existing one there. Loaded on demand. */
import { useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { createPortal } from 'react-dom';
import { versionOf } from '#contract/etag.ts';
import type { Release } from '#contract/releases.calls.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { Dialog } from '#site/ui/dialog.tsx';
import { Field } from '#site/ui/field.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { CallError } from '#site/app/call.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useIdempotencyKey } from '#site/app/use-idempotency-key.ts';
import { useMutation } from '#site/app/use-mutation.ts';
import type { Values } from '../content-calls.ts';
import { Difference, FieldDifferences } from '../editor/difference.tsx';
import { shownChange } from '../editor/record-changes.ts';
import {
  addUnlessReplacing,
  findExisting,
  collidingFields,
  replaces,
  type ExistingChange,
} from './existing-change.ts';
import { beginRelease, openReleasesQuery, readRelease, type NewChange } from './release-calls.ts';
import { row, stack } from '#site/ui/layout.ts';

/** The titles of the records in a requested order. The release may already contain a different order. */
const titlesOf = (order: readonly string[], { ids, after }: NonNullable<ExistingChange['change']['order']>) =>
  order.map((id) => after[ids.indexOf(id)] ?? '');

/** The `ref` of the element that gets the focus when the dialog opens, in place of the first button. */
const takeFirstFocus = (element: HTMLElement | null): void => {
  if (element) element.autofocus = true;
};

/** The form's message when the question is asked again. */
const changedMeanwhile = (release: string) =>
  new CallError({
    title: 'Changed in the meantime',
    status: 409,
    detail: `Someone changed this in the release “${release}” in the meantime, so nothing was added. Review the changes, then try again.`,
  });

export interface ReleaseDialogProps {
  /** What the user asked for, such as “Schedule removal”. */
  readonly title: string;
  /** The change to add, from the current form values. */
  readonly change: NewChange;
  /** Sends the change through the form, which shows field errors. */
  readonly onSend: (send: (values: Values, etag?: string) => Promise<unknown>) => Promise<unknown>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export default function ReleaseDialog({
  title: heading,
  isOpen,
  change,
  onSend,
  onClose,
}: ReleaseDialogProps) {
  const [existing, setExisting] = useState<ExistingChange>();
  /** A new release whose first change could not be added. The next attempt uses it. */
  const begun = useRef<Release>(undefined);
  const { keyFor, renew } = useIdempotencyKey('release');
  const close = () => {
    onClose();
    setExisting(undefined);
  };

  /** @param open returns the release; it creates a new one once the form is valid */
  async function send(open: () => Promise<Release> | Release, seen?: number) {
    close();
    await onSend(async (values, etag) => {
      const { _id, title } = await open();
      const version = etag === undefined ? change.version : versionOf(etag);
      const wanted = { ...change, ...(change.values && { values }), version };
      const addition = await addUnlessReplacing(_id, wanted, seen, keyFor([_id, wanted]));
      if (typeof addition === 'object') {
        setExisting(addition.other);
        throw changedMeanwhile(title);
      }
      begun.current = undefined;
      renew();
      showToast(
        addition === 'present'
          ? `The release “${title}” already has this change.`
          : change.action === 'remove'
            ? `The release “${title}” will remove it`
            : `Added to the release “${title}”`,
      );
    });
  }

  const begin = async (title: string) =>
    begun.current?.title === title.trim() ? begun.current : (begun.current = await beginRelease(title));

  /** Sends immediately, unless the release has other values for the same fields. The user compares those first. */
  async function choose(id: string) {
    const release = await readRelease(id);
    const same = findExisting(release, change);
    if (same && replaces(change, same)) setExisting({ release, change: same });
    else await send(() => release, same?.version);
  }

  const { mutate, isPending, error } = useMutation({
    mutationFn: (chosen: { readonly id: string } | { readonly title: string }) =>
      'id' in chosen ? choose(chosen.id) : send(() => begin(chosen.title)),
    // The form sends the change and reloads the screen.
    changesNothing: true,
  });

  return createPortal(
    <Dialog
      open={isOpen || existing !== undefined}
      onClose={close}
      title={existing ? 'Replace the change in the release?' : heading}
      decline={existing ? undefined : 'Cancel'}
    >
      {error && <Alert title="Not added to the release">{error.message}</Alert>}
      {existing ? (
        <Replace
          {...existing}
          wanted={change}
          onKeep={close}
          onReplace={() => void send(() => existing.release, existing.change.version)}
        />
      ) : (
        <Choice isBusy={isPending} onChoose={(id) => mutate({ id })} onBegin={(title) => mutate({ title })} />
      )}
    </Dialog>,
    document.body,
  );
}

interface ChoiceProps {
  readonly isBusy: boolean;
  readonly onChoose: (id: string) => void;
  readonly onBegin: (title: string) => void;
}

function Choice({ isBusy, onChoose, onBegin }: ChoiceProps) {
  const open = useQuery(openReleasesQuery());
  const [title, setTitle] = useState('');
  const [problem, setProblem] = useState<string>();
  return (
    <>
      <p tabIndex={-1} ref={takeFirstFocus}>
        A release is published as a whole, now or at a time that you choose. Nobody sees its changes before
        then.
      </p>
      <QueryBoundary query={open} lines={2}>
        {(releases) => (
          <ul className={stack(3)}>
            {releases.map((release) => (
              <li key={release._id}>
                <Button variant="secondary" disabled={isBusy} onClick={() => onChoose(release._id)}>
                  {release.title}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </QueryBoundary>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // React passes the event on to the form around the button.
          event.stopPropagation();
          if (title.trim() === '') {
            setProblem('Title is required.');
            event.currentTarget.querySelector('input')?.focus();
          } else onBegin(title);
        }}
      >
        <Field
          label="New release"
          name="releaseTitle"
          placeholder="Spring offer"
          maxLength={200}
          required
          value={title}
          error={problem}
          onChange={({ currentTarget }) => {
            setTitle(currentTarget.value);
            setProblem(undefined);
          }}
          trailing={
            <Button type="submit" busy={isBusy}>
              Create and add
            </Button>
          }
        />
      </form>
    </>
  );
}

function Replace({
  release,
  change,
  wanted,
  onKeep,
  onReplace,
}: ExistingChange & {
  readonly wanted: NewChange;
  readonly onKeep: () => void;
  readonly onReplace: () => void;
}) {
  const fields = collidingFields(wanted, change);
  return (
    <>
      <p>
        {fields.length > 0 &&
          `The release “${release.title}” already has a different version. These are the changes from that version to yours:`}
        {change.order &&
          `The release “${release.title}” already has a different order. These are the changes from that order to yours:`}
        {fields.length === 0 &&
          !change.order &&
          `The release “${release.title}” already contains a different change to this record.`}
      </p>
      {change.order && (
        <Difference
          before={change.order.after.join('\n')}
          after={titlesOf(wanted.order ?? [], change.order).join('\n')}
        />
      )}
      <FieldDifferences
        changes={fields.map(({ field, after }) =>
          shownChange(change.section, { field, before: after, after: wanted.values?.[field] ?? '' }),
        )}
      />
      <div className={row(3)}>
        <Button variant="secondary" onClick={onKeep}>
          Keep the existing change
        </Button>
        <Button onClick={onReplace}>Replace it</Button>
      </div>
    </>
  );
}
