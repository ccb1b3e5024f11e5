/**
 * The one way in which addresses from the content reach the page. The server has checked them already; here they are
 * checked again by the same rule, so that a record that got in some other way can still do no harm.
 */
import type { ComponentProps, ReactNode } from 'react';
import { isSafeAddress } from '#contract/addresses.ts';

const allowed = (address: string | undefined, kind: 'link' | 'image') => {
  const trimmed = address?.trim() ?? '';
  return isSafeAddress(trimmed, kind) ? trimmed : undefined;
};

/** An address that a visitor may follow (`https:`, `http:`, `mailto:`, `tel:`, `/path`, `#fragment`), or undefined. */
export const safeHref = (address: string | undefined): string | undefined => allowed(address, 'link');

/** An address that an image may come from (`https:`, `/path`), or undefined. */
export const safeSrc = (address: string | undefined): string | undefined => allowed(address, 'image');

/** A link; its bare text when the address is refused. */
export function SafeLink({
  href,
  children,
  ...rest
}: ComponentProps<'a'> & { readonly children: ReactNode }) {
  const safe = safeHref(href);
  return safe === undefined ? (
    <>{children}</>
  ) : (
    <a {...rest} href={safe}>
      {children}
    </a>
  );
}

/** An address of a mail to somebody (RFC 6068): what of theirs would begin a subject or another reader is encoded. */
export const mailtoHref = (email: string): string =>
  `mailto:${encodeURIComponent(email).replace('%40', '@')}`;

/** Where a line of contact text leads: a telephone number or an email address by itself, else undefined. */
export function contactHref(text: string): string | undefined {
  const line = text.trim();
  if (/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(line)) return mailtoHref(line);
  const digits = line.replace(/[^\d+]/g, '');
  return /^\+?[\d\s().-]{7,24}$/.test(line) && digits.length >= 5 ? `tel:${digits}` : undefined;
}

/** A line of contact text, pressable where it is a telephone number or an email address. */
export function ContactLine({ text }: { readonly text: string }) {
  return <SafeLink href={contactHref(text)}>{text}</SafeLink>;
}
