/** The logos of the three social networks, because Lucide has no brand icons. */
import type { ReactNode } from 'react';

export type Network = 'YouTube' | 'Facebook' | 'Instagram';

const marks: Readonly<Record<Network, ReactNode>> = {
  YouTube: (
    <>
      <rect x="2" y="5" width="20" height="14" rx="4" />
      <path d="m10 9 5 3-5 3z" />
    </>
  ),
  Facebook: <path d="M18 2h-3a5 5 0 0 0-5 5v3H7v4h3v8h4v-8h3l1-4h-4V7a1 1 0 0 1 1-1h3z" />,
  Instagram: (
    <>
      <rect x="2" y="2" width="20" height="20" rx="5" />
      <circle cx="12" cy="12" r="4" />
      <path d="M17.5 6.5h.01" />
    </>
  ),
};

export function NetworkMark({ network }: { readonly network: Network }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="1.375rem"
      height="1.375rem"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {marks[network]}
    </svg>
  );
}
