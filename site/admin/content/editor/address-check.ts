/** Checks a link or an image address while it is typed. */
import { storedValue } from '#contract/field-problems.ts';
import { isSafeAddress } from '#contract/addresses.ts';
import { findScreen } from '#contract/all-screens.ts';

type AddressCheck =
  /** Nothing has been typed yet. */
  | 'empty'
  /** The server would reject it. */
  | 'refused'
  /** The site has no page at this path. A redirect may still exist. */
  | 'no-page'
  | 'fine';

/** Files of the site, such as `/images/team.jpg`, are not pages. The thumbnail shows whether they exist. */
const isFile = (path: string) => /\.[a-z0-9]{2,5}$/i.test(path);

export function checkAddress(address: string, kind: 'link' | 'image'): AddressCheck {
  const trimmed = storedValue({ label: '', kind }, address);
  if (trimmed === '') return 'empty';
  if (!isSafeAddress(trimmed, kind)) return 'refused';
  if (kind === 'link' && trimmed.startsWith('/')) {
    const path = trimmed.replace(/[?#].*/s, '');
    if (!isFile(path) && !findScreen(path)) return 'no-page';
  }
  return 'fine';
}
