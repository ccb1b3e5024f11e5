/** A small version of the image at an address, or the reason why it cannot be shown. */
import { useState } from 'react';
import type { Field } from '#contract/section.ts';
import { checkAddress } from './address-check.ts';
import { cluster } from '#site/ui/layout.ts';
import css from './field-input.module.css';
import { schemesWithout } from './visibility.ts';

type Found = 'loading' | 'missing' | { readonly width: number; readonly height: number };

/** Use the address as the key, so that a new address starts over. */
export function Thumbnail({
  address,
  backgrounds = [],
}: {
  readonly address: string;
  readonly backgrounds?: Field['backgrounds'] | undefined;
}) {
  const [found, setFound] = useState<Found>('loading');
  const [hiddenOn, setHiddenOn] = useState<readonly ('light' | 'dark')[]>([]);
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
        <span className={css['note']}>
          {found.width} × {found.height}
        </span>
      )}
      {hiddenOn.map((scheme) => (
        <p key={scheme} className={css['note']} data-tone="warning" role="status">
          This logo is hard to see on a {scheme} page.{' '}
          {scheme === 'dark' && backgrounds.includes('light')
            ? 'The section Brand has a logo for dark mode, which replaces this one there. Add it if it is missing.'
            : `Use one in ${scheme === 'dark' ? 'light' : 'dark'} colors.`}
        </p>
      ))}
    </div>
  );
}
