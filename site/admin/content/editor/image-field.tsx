/**
 * The field for a picture: a file is dropped on it, pasted into it or chosen, a picture is taken from the library, or an
 * address is typed. Its value is an address in each case.
 */
import { useRef, useState, type ComponentProps } from 'react';
import { Images } from 'lucide-react';
import { readMediaPath } from '#contract/media.ts';
import type { Field as SectionField } from '#contract/section.ts';
import { Button } from '#site/ui/button.tsx';
import { Field } from '#site/ui/field.tsx';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { UploadButton, UploadProgress } from '../media/upload-button.tsx';
import { useDropAndPaste, useUpload } from '../media/use-upload.ts';
import { Thumbnail } from './thumbnail.tsx';
import css from './field-input.module.css';

const LibraryDialog = lazyPart(
  () => import('../media/library-dialog.tsx'),
  undefined,
  ({ onClose }) => onClose,
);
const MediaDetails = lazyPart(() => import('../media/media-details.tsx'));

export interface ImageFieldProps extends ComponentProps<typeof Field> {
  readonly value: string;
  readonly onChoose: (address: string) => void;
  readonly standsOn?: SectionField['standsOn'];
}

export function ImageField({ value, onChoose, standsOn, ...field }: ImageFieldProps) {
  const [uploaded, setUploaded] = useState<string>();
  const uploading = useUpload(({ path }) => {
    setUploaded(path);
    onChoose(path);
  });
  const [isLibraryOpen, setIsLibraryOpen] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  /** The address as the last upload began: once there is another one, it has nothing to say to that. */
  const [before, setBefore] = useState<string>();
  const uploadFirst = (files: readonly File[]) => {
    setBefore(value);
    return uploading.upload(files.slice(0, 1));
  };
  useDropAndPaste(uploadFirst, area);
  const media = readMediaPath(value.trim());
  // The upload comes first: what is wrong with the address beside it may be of an earlier save.
  const wrong = [value === before ? uploading.failures[0] : undefined, field.error].filter(Boolean);
  return (
    <div ref={area} className={css['group']}>
      <Field {...field} value={value} error={wrong.length > 0 ? wrong.join(' ') : undefined} />
      <div className={css['choices']}>
        <UploadButton isBusy={uploading.isBusy} onFiles={uploadFirst}>
          Upload<span className="visually-hidden"> for {field.label}</span>
        </UploadButton>
        <Button
          variant="secondary"
          size="small"
          icon={<Images size="1.125rem" aria-hidden="true" />}
          onClick={() => setIsLibraryOpen(true)}
        >
          Library<span className="visually-hidden"> for {field.label}</span>
        </Button>
        <span className={css['note']}>or drop or paste a picture here</span>
      </div>
      <UploadProgress {...uploading} />
      <Thumbnail key={value} address={value} standsOn={standsOn} />
      {media && <MediaDetails key={media.id} id={media.id} isOpen={value === uploaded} />}
      {isLibraryOpen && (
        <LibraryDialog
          onClose={() => setIsLibraryOpen(false)}
          onChoose={(path) => {
            onChoose(path);
            setIsLibraryOpen(false);
          }}
        />
      )}
    </div>
  );
}
