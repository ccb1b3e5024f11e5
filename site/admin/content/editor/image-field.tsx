/**
 * The field for a picture. Users drop, paste or choose a file, pick a picture from the library, or type a URL. The
 * value is always a URL. The URL of a library picture is hidden until the user asks for it.
 */
import { useRef, useState, type ComponentProps } from 'react';
import { Images, Link } from 'lucide-react';
import { readMediaPath } from '#contract/media.ts';
import type { Field as SectionField } from '#contract/section.ts';
import { Button } from '#site/ui/button.tsx';
import { Field } from '#site/ui/field.tsx';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { UploadButton, UploadProgress } from '../media/upload-button.tsx';
import { useDropAndPaste, useUpload } from '../media/use-upload.ts';
import { row, stack, cluster } from '#site/ui/layout.ts';
import css from './field-input.module.css';
import { checkAddress } from './address-check.ts';
import { schemesWithout } from './visibility.ts';

const LibraryDialog = lazyPart(
  () => import('../media/library-dialog.tsx'),
  undefined,
  ({ onClose }) => onClose,
);
const MediaDetails = lazyPart(() => import('../media/media-details.tsx'));

interface ImageFieldProps extends ComponentProps<typeof Field> {
  readonly value: string;
  readonly onChoose: (address: string) => void;
  readonly backgrounds?: SectionField['backgrounds'];
}

export function ImageField({ value, onChoose, backgrounds, ...field }: ImageFieldProps) {
  const media = readMediaPath(value.trim());
  const [uploaded, setUploaded] = useState<string>();
  /** A typed URL stays visible, even if it is invalid. */
  const [isTyping, setIsTyping] = useState(!media);
  const choose = (path: string) => {
    setIsTyping(false);
    onChoose(path);
  };
  const uploading = useUpload(({ path }) => {
    setUploaded(path);
    choose(path);
  });
  const [isLibraryOpen, setIsLibraryOpen] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  /** The URL at the start of the last upload. Once the URL changes, the upload's error no longer matters. */
  const [before, setBefore] = useState<string>();
  const uploadFirst = (files: readonly File[]) => {
    setBefore(value);
    return uploading.upload(files.slice(0, 1));
  };
  useDropAndPaste(uploadFirst, area);
  // The upload's error takes precedence. The other one may be from an earlier save.
  const wrong = [value === before ? uploading.failures[0] : undefined, field.error].filter(Boolean);
  const isAddressShown = isTyping || !media || wrong.length > 0;
  return (
    <div ref={area} className={stack(1)}>
      {isAddressShown ? (
        <Field
          {...field}
          value={value}
          error={wrong.length > 0 ? wrong.join(' ') : undefined}
          onFocus={() => setIsTyping(true)}
        />
      ) : (
        <PictureLabel {...field} value={value} />
      )}
      <Thumbnail key={value} address={value} backgrounds={backgrounds} />
      <div className={row(2)}>
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
        {!isAddressShown && (
          <Button
            id={field.id}
            variant="quiet"
            size="small"
            icon={<Link size="1.125rem" aria-hidden="true" />}
            onClick={() => {
              setIsTyping(true);
              // The input replaces the button and takes over its id.
              requestAnimationFrame(() => document.getElementById(field.id ?? field.name)?.focus());
            }}
          >
            Address<span className="visually-hidden"> of {field.label}</span>
          </Button>
        )}
        <span className="note">or drop or paste a picture here</span>
      </div>
      <UploadProgress {...uploading} />
      {media && <MediaDetails key={media.id} id={media.id} isOpen={value === uploaded} />}
      {isLibraryOpen && (
        <LibraryDialog
          onClose={() => setIsLibraryOpen(false)}
          onChoose={(path) => {
            choose(path);
            setIsLibraryOpen(false);
          }}
        />
      )}
    </div>
  );
}

/** The label of a picture whose URL is hidden. Without an input of its name, a form would not find the field. */
const PictureLabel = ({
  name,
  value,
  label,
  help,
}: Pick<ImageFieldProps, 'name' | 'value' | 'label' | 'help'>) => (
  <>
    <input type="hidden" name={name} value={value} />
    <span className="strong">{label}</span>
    {help !== undefined && <p className="note">{help}</p>}
  </>
);

type Found = 'loading' | 'missing' | { readonly width: number; readonly height: number };

/** The thumbnail for a URL, or why there is none. The URL is its key, so that a new URL starts over. */
function Thumbnail({
  address,
  backgrounds = [],
}: {
  readonly address: string;
  readonly backgrounds?: SectionField['backgrounds'] | undefined;
}) {
  const [found, setFound] = useState<Found>('loading');
  const [hiddenOn, setHiddenOn] = useState<readonly ('light' | 'dark')[]>([]);
  const check = checkAddress(address, 'image');
  if (check === 'empty') return null;
  if (check !== 'fine')
    return (
      <p className="note warning" aria-live="polite">
        Use a picture address that begins with https:// or a path on this site (/…).
      </p>
    );
  if (found === 'missing')
    return (
      <p className="note warning" aria-live="polite">
        We could not load a picture from this address. Check the address.
      </p>
    );
  return (
    <div className={cluster(3, css['thumbnail'])}>
      <img
        src={address.trim()}
        alt=""
        onLoad={({ currentTarget }) => {
          setFound({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight });
          void schemesWithout(currentTarget, backgrounds).then(setHiddenOn);
        }}
        onError={() => setFound('missing')}
      />
      {typeof found === 'object' && (
        <span className="note">
          {found.width} × {found.height}
        </span>
      )}
      {hiddenOn.map((scheme) => (
        <p key={scheme} className="note warning" role="status">
          This logo is hard to see on a {scheme} page.{' '}
          {scheme === 'dark' && backgrounds.includes('light')
            ? 'The Brand section has a logo for dark mode, which replaces this one. Add that logo if it is missing.'
            : `Use one in ${scheme === 'dark' ? 'light' : 'dark'} colors.`}
        </p>
      ))}
    </div>
  );
}
