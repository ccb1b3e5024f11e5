/** The image at an address, small, or why there is none to see. */
import { useState } from 'react';
import { checkAddress } from './address-check.ts';
import css from './field-input.module.css';

type Found = 'loading' | 'missing' | { readonly width: number; readonly height: number };

/** Give it the address as its key, so that each address starts anew. */
export function Thumbnail({ address }: { readonly address: string }) {
  const [found, setFound] = useState<Found>('loading');
  const check = checkAddress(address, 'image');
  if (check === 'empty') return null;
  if (check !== 'fine')
    return (
      <p className={css['note']} data-tone="warning" aria-live="polite">
        Use an image address that begins with https:// or a path on this site (/…).
      </p>
    );
  if (found === 'missing')
    return (
      <p className={css['note']} data-tone="warning" aria-live="polite">
        No image could be loaded from this address.
      </p>
    );
  return (
    <div className={css['thumbnail']}>
      <img
        src={address.trim()}
        alt=""
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          setFound({ width, height })
        }
        onError={() => setFound('missing')}
      />
      {typeof found === 'object' && (
        <span className={css['note']}>
          {found.width} × {found.height}
        </span>
      )}
    </div>
  );
}
