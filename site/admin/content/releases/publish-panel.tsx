/** Publishes a release now, or schedules it in the site's time zone. */
import { useState } from 'react';
import { etagOf } from '#contract/etag.ts';
import type { Release } from '#contract/releases.calls.ts';
import { fromWallTime, toWallTime, zoneName } from '#contract/zoned-time.ts';
import { Button } from '#site/ui/button.tsx';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { ActionButton } from '#site/app/action-button.tsx';
import { api } from '#site/app/call.ts';
import { useMutation } from '#site/app/use-mutation.ts';
import { publish, showSaved } from '#site/admin/shell/publishing.tsx';
import { row } from '#site/ui/layout.ts';
import css from './releases.module.css';

interface PublishPanelProps {
  readonly release: Release;
}

export function PublishPanel({ release }: PublishPanelProps) {
  const { _id, version, changes, problem } = release;
  const isBlocked =
    changes.length === 0 || problem !== null || changes.some(({ conflict }) => conflict !== null);
  return (
    <>
      <div className={row(3)}>
        <ActionButton
          disabled={isBlocked}
          action={() =>
            publish(() => api('POST /release/:id/publish', { id: _id, ifMatch: etagOf(version) }))
          }
          onSuccess={() => showSaved('The release is live')}
        >
          Publish now
        </ActionButton>
      </div>
      <Schedule release={release} />
    </>
  );
}

function Schedule({ release: { _id, version, publishAt, timeZone } }: PublishPanelProps) {
  const [draft, setDraft] = useState<{ readonly text: string; readonly instead: string | null }>();
  const schedule = useMutation({
    mutationFn: (at: string | null) =>
      api('PUT /release/:id/schedule', { id: _id, ifMatch: etagOf(version), body: { at } }),
  });
  const [isMissing, setIsMissing] = useState(false);
  const set = publishAt === null ? '' : toWallTime(Date.parse(publishAt), timeZone);
  // If someone else set a time in the meantime, it replaces the typed time.
  const typed = draft?.instead === publishAt ? draft.text : set;
  const at = fromWallTime(typed, timeZone);
  const wrong = isMissing && at === undefined ? 'Choose a date and a time.' : schedule.error?.message;

  return (
    <Form
      className={css['when']}
      onSend={() => {
        setIsMissing(at === undefined);
        if (at !== undefined) schedule.mutate(at);
      }}
    >
      <Field
        label={`Or publish at (${zoneName(timeZone)})`}
        name="at"
        type="datetime-local"
        error={wrong}
        value={typed}
        onChange={({ currentTarget }) => setDraft({ text: currentTarget.value, instead: publishAt })}
        trailing={
          <>
            <Button type="submit" variant="secondary" busy={schedule.isPending}>
              {publishAt === null ? 'Schedule' : 'Change the time'}
            </Button>
            {publishAt !== null && (
              <Button variant="quiet" busy={schedule.isPending} onClick={() => schedule.mutate(null)}>
                Cancel the schedule
              </Button>
            )}
          </>
        }
      />
    </Form>
  );
}
