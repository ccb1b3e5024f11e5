/** The files of an order: the download links in a message, and the file picker for the next message. */
import { useContext, useId, useRef } from 'react';
import { Paperclip } from 'lucide-react';
import { callAddress } from '#contract/call-address.ts';
import { displayBytes, fileTypes } from '#contract/conversations.ts';
import type { OrderFile } from '#contract/conversations.calls.ts';
import { Button } from '#site/ui/button.tsx';
import { FormErrors } from '#site/ui/field.tsx';
import type { PickedFile, PickedFiles } from './use-files.ts';
import { cluster, row, stack, target } from '#site/ui/layout.ts';
import { classNames } from '#site/ui/class-names.ts';
import css from './conversation.module.css';

const about = ({ type, bytes }: Pick<OrderFile, 'type' | 'bytes'>) =>
  `${fileTypes[type]}, ${displayBytes(bytes)}`;

interface FileLinksProps {
  readonly files: readonly OrderFile[];
  readonly call?: 'GET /order-file/:id' | 'GET /reply-file/:id';
}

export function FileLinks({ files, call = 'GET /order-file/:id' }: FileLinksProps) {
  if (files.length === 0) return null;
  return (
    <ul className={stack(2, css['files'])}>
      {files.map((file) => (
        <li key={file._id} className={row([1, 3])}>
          <a className={target()} href={callAddress(call, file._id)} download={file.name}>
            <Paperclip size="1.125rem" />
            <span>{file.name}</span>
          </a>
          <span className="note">{about(file)}</span>
        </li>
      ))}
    </ul>
  );
}

interface FilePickerProps {
  readonly files: PickedFiles;
  readonly label: string;
  /** Whether uploading is no longer possible. Files that were picked can still be removed. */
  readonly isClosed?: boolean;
}

/**
 * Picks files, and shows the progress of each upload. If the form has an error for `files`, it shows why the form cannot
 * be sent, until the reason is gone.
 */
export function FilePicker({ files, label, isClosed = false }: FilePickerProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const id = useId();
  const refused = useContext(FormErrors)['files'];
  if (isClosed && files.items.length === 0) return null;
  return (
    <div className={row([2, 3], css['picker'])}>
      <Button
        aria-disabled={isClosed || undefined}
        variant="secondary"
        size="small"
        icon={<Paperclip size="1.125rem" />}
        aria-describedby={id}
        onClick={() => chooser.current?.click()}
      >
        {label}
      </Button>
      <span id={id} className="note">
        Up to 25 MB each
      </span>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          files.add(target.files ?? []);
          target.value = '';
        }}
      />
      {refused !== undefined && refused === files.disabledReason && (
        // If a form is not sent, it focuses the message that says why.
        <p role="alert" tabIndex={-1} className={classNames('danger', css['problem'])}>
          {files.disabledReason}
        </p>
      )}
      {files.items.length > 0 && (
        <ul className={stack(2, css['files'])}>
          {files.items.map((item) => (
            <li key={item.key} className={row([1, 3])}>
              <Picked
                item={item}
                files={files}
                onRemove={() => {
                  files.remove(item);
                  // The pressed button disappears with its file.
                  chooser.current?.parentElement?.querySelector('button')?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface PickedProps {
  readonly item: PickedFile;
  readonly files: PickedFiles;
  readonly onRemove: () => void;
}

function Picked({ item, files, onRemove }: PickedProps) {
  const { name, bytes, share, sent, problem } = item;
  return (
    <>
      <span>{name}</span>
      {problem ? (
        <span role="alert" className="note danger">
          {problem}
        </span>
      ) : (
        <span className="note">
          {!sent && (
            <>
              <progress value={share} aria-label={`Upload progress of ${name}`} /> {Math.round(share * 100)}%
              of {displayBytes(bytes)}
            </>
          )}
          <span role="status">{sent && `${about(sent)}, ready`}</span>
        </span>
      )}
      <span className={cluster(2)}>
        {problem && item.mayRetry && (
          <Button
            variant="secondary"
            size="small"
            aria-label={`Try again to upload ${name}`}
            onClick={() => files.retry(item)}
          >
            Try again
          </Button>
        )}
        <Button
          variant="quiet"
          size="small"
          aria-label={sent || problem ? `Remove ${name}` : `Cancel the upload of ${name}`}
          onClick={onRemove}
        >
          {sent || problem ? 'Remove' : 'Cancel'}
        </Button>
      </span>
    </>
  );
}
