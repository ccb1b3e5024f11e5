/** The links that let other people preview a release. */
import { useState } from 'react';
import { Copy, ExternalLink } from 'lucide-react';
import type { Release } from '#contract/releases.calls.ts';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { Field } from '#site/ui/field.tsx';
import { ActionButton } from '#site/app/action-button.tsx';
import { api } from '#site/app/call.ts';
import { DateTime } from '#site/ui/date-time.tsx';
import { useMutation } from '#site/app/use-mutation.ts';
import { row } from '#site/ui/layout.ts';

export function PreviewPanel({ release: { _id: id, previewUntil } }: { readonly release: Release }) {
  const [url, setUrl] = useState<string>();
  const make = useMutation({
    mutationFn: () => api('POST /release/:id/preview-link', { id }),
    toastsError: true,
    onSuccess: ({ data }) => setUrl(data.url),
  });
  const end = useMutation({
    mutationFn: () => api('DELETE /release/:id/preview-link', { id }),
    done: 'The preview links no longer work',
    toastsError: true,
    onSuccess: () => setUrl(undefined),
  });
  const isBusy = make.isPending || end.isPending;

  return (
    <Card title="Preview">
      <p className="note">
        For 7 days, anyone with the link can see the pages with this release applied.
        {previewUntil !== null && (
          <>
            {' '}
            The newest link expires <DateTime at={previewUntil} />.
          </>
        )}
      </p>
      {url !== undefined && (
        <Field
          label="Preview link"
          name="previewLink"
          readOnly
          value={url}
          help="It is shown only once."
          trailing={
            <>
              <ActionButton
                variant="secondary"
                icon={<Copy size="1.125rem" />}
                action={() => navigator.clipboard.writeText(url)}
                done="Link copied"
                changesNothing
              >
                Copy
              </ActionButton>
              <LinkButton
                variant="secondary"
                href={url}
                target="_blank"
                icon={<ExternalLink size="1.125rem" />}
              >
                Open
              </LinkButton>
            </>
          }
        />
      )}
      <div className={row(3)}>
        <Button variant="secondary" busy={isBusy} onClick={() => make.mutate()}>
          Create a preview link
        </Button>
        {previewUntil !== null && (
          <Button variant="quiet" busy={isBusy} onClick={() => end.mutate()}>
            Revoke all links
          </Button>
        )}
      </div>
    </Card>
  );
}
