/** The button that chooses files, pictures by default, with the progress of their upload. */
import { useRef, type ReactNode } from 'react';
import { Upload as UploadIcon } from 'lucide-react';
import { mediaTypes } from '#contract/media.ts';
import { Button } from '#site/ui/button.tsx';
import type { Upload } from './use-upload.ts';

interface UploadButtonProps {
  /** The file types, in the format of the input's `accept` attribute. */
  readonly accept?: string;
  readonly isBusy: boolean;
  readonly onFiles: (files: readonly File[]) => unknown;
  readonly multiple?: boolean;
  readonly children: ReactNode;
}

export function UploadButton({
  accept = Object.keys(mediaTypes).join(','),
  isBusy,
  onFiles,
  multiple = false,
  children,
}: UploadButtonProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        busy={isBusy}
        icon={<UploadIcon size="1.125rem" />}
        onClick={() => chooser.current?.click()}
      >
        {children}
      </Button>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple={multiple}
        accept={accept}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </>
  );
}

export function UploadProgress({ isBusy, share }: Pick<Upload, 'isBusy' | 'share'>) {
  if (!isBusy) return null;
  return (
    <p className="note" data-uploading>
      <progress value={share} aria-label="Uploaded" /> {share < 1 && `${Math.round(share * 100)}% uploaded`}
      <span role="status">{share < 1 ? '' : 'Preparing the picture…'}</span>
    </p>
  );
}
