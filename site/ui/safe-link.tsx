/**
 * The only way for addresses from the content to get into the page. The server has already checked them. We check
 * them again with the same rule, so that a record that was stored in some other way is harmless.
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

/** A link, or only its text if the address is not allowed. */
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

/** A mailto address (RFC 6068). Characters of the email that would start a subject or add a recipient are encoded. */
export const mailtoHref = (email: string): string =>
  `mailto:${encodeURIComponent(email).replace('%40', '@')}`;

/** Where a line of contact text links to: a phone number or an email address by itself, otherwise undefined. */
export function contactHref(text: string): string | undefined {
  const line = text.trim();
  if (/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(line)) return mailtoHref(line);
  const digits = line.replace(/[^\d+]/g, '');
  return /^\+?[\d\s().-]{7,24}$/.test(line) && digits.length >= 5 ? `tel:${digits}` : undefined;
}

/** A line of contact text, as a link if it is a phone number or an email address. */
export function ContactLine({ text }: { readonly text: string }) {
  return <SafeLink href={contactHref(text)}>{text}</SafeLink>;
}
