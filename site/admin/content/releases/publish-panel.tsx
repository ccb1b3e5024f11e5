/** When a release is published: now, or by itself at a time of the site's clock. */
import { useState } from 'react';
import { etagOf } from '#contract/etag.ts';
import type { Release } from '#contract/releases.calls.ts';
import { fromWallTime, toWallTime } from '#contract/zoned-time.ts';
import { Button } from '#site/ui/button.tsx';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { api } from '#site/app/call.ts';
import { useAction } from '#site/app/use-action.ts';
import { usePublish } from '#site/admin/shell/publishing.tsx';
import css from './releases.module.css';

interface PublishPanelProps {
  readonly release: Release;
  readonly onChange: () => void;
}

export function PublishPanel({ release, onChange }: PublishPanelProps) {
  const { _id, version, changes, problem } = release;
  const publish = usePublish();
  const { act, isBusy } = useAction(useToast());
  const isBlocked =
    changes.length === 0 || problem !== null || changes.some(({ conflict }) => conflict !== null);

  async function publishNow() {
    const options = { id: _id, ifMatch: etagOf(version) };
    await act(() => publish(() => api('POST /release/:id/publish', options)), 'The release is live');
    onChange();
  }

  return (
    <>
      <div className={css['actions']}>
        <Button busy={isBusy} disabled={isBlocked} onClick={() => void publishNow()}>
          Publish now
        </Button>
      </div>
      <Schedule release={release} onChange={onChange} />
    </>
  );
}

function Schedule({ release: { _id, version, publishAt, timeZone }, onChange }: PublishPanelProps) {
  const [draft, setDraft] = useState<{ readonly text: string; readonly instead: string | null }>();
  const { act, isBusy, error } = useAction();
  const [isMissing, setIsMissing] = useState(false);

  async function schedule(at: string | null) {
    const options = { id: _id, ifMatch: etagOf(version), body: { at } };
    await act(() => api('PUT /release/:id/schedule', options));
    onChange();
  }
  const set = publishAt === null ? '' : toWallTime(Date.parse(publishAt), timeZone);
  // A time that somebody else set meanwhile takes the place of what was typed.
  const typed = draft?.instead === publishAt ? draft.text : set;
  const at = fromWallTime(typed, timeZone);
  const wrong = isMissing && at === undefined ? 'Choose a date and a time.' : error?.message;

  return (
    <Form
      className={css['when']}
      onSend={() => {
        setIsMissing(at === undefined);
        if (at !== undefined) void schedule(at);
      }}
    >
      <Field
        label={`Or publish at (${timeZone})`}
        name="at"
        type="datetime-local"
        error={wrong}
        value={typed}
        onChange={({ currentTarget }) => setDraft({ text: currentTarget.value, instead: publishAt })}
      />
      <Button type="submit" variant="secondary" busy={isBusy}>
        {publishAt === null ? 'Schedule' : 'Change the time'}
      </Button>
      {publishAt !== null && (
        <Button variant="quiet" busy={isBusy} onClick={() => void schedule(null)}>
          Take the time back
        </Button>
      )}
    </Form>
  );
}
