/**
 * The field for a picture: a file is dropped on it, pasted into it or chosen, a picture is taken from the library, or an
 * address is typed. Its value is an address in each case.
 */
import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ComponentProps,
  type RefObject,
} from 'react';
import { Images, Upload } from 'lucide-react';
import { mediaTypes, readMediaPath } from '#contract/media.ts';
import { Button } from '#components/button.tsx';
import { Field } from '#components/field.tsx';
import { useAction } from '#site/islands/shared/use-action.ts';
import { uploadMedia } from '../media/upload.ts';
import { Thumbnail } from './thumbnail.tsx';
import css from './field-input.module.css';

const LibraryDialog = lazy(() => import('../media/library-dialog.tsx'));
const MediaDetails = lazy(() => import('../media/media-details.tsx'));

export interface ImageFieldProps extends ComponentProps<typeof Field> {
  readonly value: string;
  readonly onChoose: (address: string) => void;
}

/** A file on its way to the library: how much of it has gone, from 0 to 1. */
function useUpload(onChoose: (address: string) => void) {
  const { act, isBusy, error } = useAction();
  const [share, setShare] = useState(0);
  const [uploaded, setUploaded] = useState<string>();
  const upload = (files: FileList | undefined) => {
    const file = files?.[0];
    if (!file) return false;
    setShare(0);
    void act(async () => {
      const { path } = await uploadMedia(file, setShare);
      setUploaded(path);
      onChoose(path);
    });
    return true;
  };
  return { upload, uploaded, share, isBusy, error };
}

/** Takes files that are dropped on an area or pasted into it. @param take answers whether there was a file */
function useDropAndPaste(
  area: RefObject<HTMLElement | null>,
  take: (files: FileList | undefined) => boolean,
) {
  const takeFrom = useEffectEvent((event: Event, data: DataTransfer | null) => {
    if (take(data?.files)) event.preventDefault();
  });
  useEffect(() => {
    const element = area.current;
    const controller = new AbortController();
    const { signal } = controller;
    element?.addEventListener('dragover', (event) => event.preventDefault(), { signal });
    element?.addEventListener('drop', (event) => takeFrom(event, event.dataTransfer), { signal });
    element?.addEventListener('paste', (event) => takeFrom(event, event.clipboardData), { signal });
    return () => controller.abort();
  }, [area]);
}

export function ImageField({ value, onChoose, ...field }: ImageFieldProps) {
  const { upload, uploaded, share, isBusy, error } = useUpload(onChoose);
  const [isLibraryOpen, setIsLibraryOpen] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLDivElement>(null);
  useDropAndPaste(area, upload);
  const media = readMediaPath(value.trim());
  return (
    <div ref={area} className={css['group']}>
      <Field {...field} value={value} error={field.error ?? error?.message} />
      <div className={css['choices']}>
        <Button
          variant="secondary"
          size="small"
          busy={isBusy}
          icon={<Upload size={18} aria-hidden="true" />}
          onClick={() => chooser.current?.click()}
        >
          Upload<span className="visually-hidden"> for {field.label}</span>
        </Button>
        <Button
          variant="secondary"
          size="small"
          icon={<Images size={18} aria-hidden="true" />}
          onClick={() => setIsLibraryOpen(true)}
        >
          Library<span className="visually-hidden"> for {field.label}</span>
        </Button>
        <span className={css['note']}>or drop or paste a picture here</span>
        <input
          ref={chooser}
          type="file"
          hidden
          accept={Object.keys(mediaTypes).join(',')}
          onChange={({ target }) => {
            upload(target.files ?? undefined);
            target.value = '';
          }}
        />
      </div>
      {isBusy && <Progress share={share} />}
      <Thumbnail key={value} address={value} />
      <Suspense>
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
      </Suspense>
    </div>
  );
}

function Progress({ share }: { readonly share: number }) {
  return (
    <p className={css['note']} role="status">
      <progress value={share} className={css['progress']} aria-label="Uploaded" />{' '}
      {share < 1 ? `${Math.round(share * 100)}% uploaded` : 'Preparing the picture …'}
    </p>
  );
}
