/**
 * The dialog to pick a picture from the library, loaded when it first opens. It is at the end of the document, outside
 * the record's form.
 */
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { titleInText } from '#contract/section.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import type { ContentRecord } from '#contract/section-calls.ts';
import { Button } from '#site/ui/button.tsx';
import { Dialog } from '#site/ui/dialog.tsx';
import { SearchField } from '#site/ui/search-field.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useMutation } from '#site/app/use-mutation.ts';
import { useCall } from '#site/app/query.ts';
import { callOf, removeRecord } from '../content-calls.ts';
import { recordTitle } from '../editor/section-texts.ts';
import { smallPath } from './small-path.ts';
import { stack } from '#site/ui/layout.ts';
import css from './library-dialog.module.css';

interface LibraryDialogProps {
  readonly onChoose: (path: string) => void;
  readonly onClose: () => void;
}

export default function LibraryDialog({ onChoose, onClose }: LibraryDialogProps) {
  const query = useCall(callOf('media', 'list'));
  const [wanted, setWanted] = useState('');
  const remove = useMutation({ mutationFn: (id: string) => removeRecord('media', id) });
  const matches = ({ name, alt }: ContentRecord) =>
    `${name ?? ''} ${alt ?? ''}`.toLowerCase().includes(wanted.trim().toLowerCase());
  return createPortal(
    <Dialog open onClose={onClose} title="Library" decline="Close">
      <SearchField label="Find a picture" value={wanted} onChange={setWanted} />
      {remove.error && (
        <p role="alert" className="danger">
          {remove.error.message}
        </p>
      )}
      <QueryBoundary query={query}>
        {(all) => {
          const shown = all.filter(matches).reverse();
          return shown.length === 0 ? (
            <p>
              {all.length === 0
                ? 'Pictures that you upload will be listed here.'
                : 'No picture has that name.'}
            </p>
          ) : (
            <ul className={css['pictures']}>
              {shown.map((picture) => (
                <Choice
                  key={picture._id}
                  picture={picture}
                  isBusy={remove.isPending}
                  onChoose={() => onChoose(picture['path'] ?? '')}
                  onDelete={() => remove.mutate(picture._id)}
                />
              ))}
            </ul>
          );
        }}
      </QueryBoundary>
      <p className="note">
        You can restore a deleted picture for 30 days under Publications. You cannot delete a picture that is
        in use.
      </p>
    </Dialog>,
    document.body,
  );
}

interface ChoiceProps {
  readonly picture: ContentRecord;
  readonly isBusy: boolean;
  readonly onChoose: () => void;
  readonly onDelete: () => void;
}

function Choice({ picture, isBusy, onChoose, onDelete }: ChoiceProps) {
  const name = recordTitle('media', picture);
  return (
    <li className={stack(0, css['picture'])}>
      <button type="button" className={stack(1, css['choice'])} onClick={onChoose}>
        <img src={smallPath(picture)} alt={picture['alt'] ?? ''} loading="lazy" className={css['image']} />
        <span>Use {name}</span>
      </button>
      <Button
        variant="quiet"
        size="small"
        busy={isBusy}
        aria-label={`Delete ${titleInText(sectionNamed('media'))} ${name}`}
        onClick={onDelete}
      >
        Delete
      </Button>
    </li>
  );
}
