/** A short label with a tone. `Status` has the tones for the statuses of orders and messages. */
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import toneCss from './tone.module.css';
import css from './badge.module.css';

export type Tone = 'neutral' | 'success' | 'warning' | 'danger' | 'info';

interface BadgeProps {
  readonly tone?: Tone;
  readonly children: ReactNode;
}

export function Badge({ tone = 'neutral', children }: BadgeProps) {
  return (
    <span className={classNames(toneCss['tone'], css['badge'])} data-tone={tone}>
      {children}
    </span>
  );
}

const toneOf: Readonly<Record<string, Tone>> = {
  Paid: 'success',
  Delivered: 'success',
  Live: 'success',
  Confirmed: 'success',
  UnPaid: 'warning',
  Pending: 'warning',
  UnRead: 'info',
  Admin: 'info',
  Cancelled: 'danger',
  Failed: 'danger',
};

/** A status word of an order, a message, a user and so on. Unknown words are neutral. */
export function Status({ status }: { readonly status: string }) {
  return <Badge tone={toneOf[status] ?? 'neutral'}>{status}</Badge>;
}
