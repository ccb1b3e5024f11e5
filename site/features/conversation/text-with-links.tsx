import { webAddressOf } from '#contract/plans.ts';

/** An address with its scheme, without the punctuation after it. */
const addressPattern = /(https?:\/\/\S*[^\s.,;:!?'"()<>[\]])/i;

/** A text in which each address that begins with `https://` or `http://` is a link that opens in a new tab. */
export function TextWithLinks({ text }: { readonly text: string }) {
  return text.split(addressPattern).map((part, place) => {
    const href = place % 2 === 1 ? webAddressOf(part) : undefined;
    return href === undefined ? (
      part
    ) : (
      <a key={place} href={href} target="_blank" rel="noreferrer nofollow">
        {part}
        <span className="visually-hidden"> (new tab)</span>
      </a>
    );
  });
}
