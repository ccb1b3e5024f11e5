/** Links by which others look at a release before it is published. */
import { useState } from 'react';
import { Copy, ExternalLink } from 'lucide-react';
import type { Release } from '#contract/releases.calls.ts';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { Field } from '#site/ui/field.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { api } from '#site/app/call.ts';
import { DateTime } from '#site/ui/date-time.tsx';
import { useAction } from '#site/app/use-action.ts';
import { Panel } from '#site/admin/shell/screen.tsx';
import css from './releases.module.css';

export function PreviewPanel({
  release: { _id: id, previewUntil },
  onChange,
}: {
  readonly release: Release;
  readonly onChange: () => void;
}) {
  const [url, setUrl] = useState<string>();
  const showToast = useToast();
  const { act, isBusy } = useAction(showToast);

  const make = () =>
    act(async () => {
      setUrl((await api('POST /release/:id/preview-link', { id })).data.url);
      onChange();
    });
  const end = () =>
    act(async () => {
      await api('DELETE /release/:id/preview-link', { id });
      setUrl(undefined);
      onChange();
    }, 'The preview links no longer work');

  return (
    <Panel title="Preview">
      <p className={css['facts']}>
        Anyone who has the link sees the pages as this release will make them, for 7 days.
        {previewUntil !== null && (
          <>
            {' '}
            The last link that was made ends <DateTime at={previewUntil} />.
          </>
        )}
      </p>
      {url !== undefined && (
        <div className={css['begin']}>
          <Field
            label="Preview link"
            name="previewLink"
            readOnly
            value={url}
            help="It is shown only once: the site does not keep it."
          />
          <div className={css['actions']}>
            <Button
              variant="secondary"
              icon={<Copy size="1.125rem" aria-hidden="true" />}
              onClick={() => void act(() => navigator.clipboard.writeText(url), 'Link copied')}
            >
              Copy
            </Button>
            <LinkButton
              variant="secondary"
              href={url}
              target="_blank"
              icon={<ExternalLink size="1.125rem" aria-hidden="true" />}
            >
              Open
            </LinkButton>
          </div>
        </div>
      )}
      <div className={css['actions']}>
        <Button variant="secondary" busy={isBusy} onClick={() => void make()}>
          Make a preview link
        </Button>
        {previewUntil !== null && (
          <Button variant="quiet" busy={isBusy} onClick={() => void end()}>
            End all links
          </Button>
        )}
      </div>
    </Panel>
  );
}
