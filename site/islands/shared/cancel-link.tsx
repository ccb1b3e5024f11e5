/** The one link that cancels an order without a further question. */
import type { ReactNode } from 'react';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#components/button.tsx';
import { markCancellation } from './cancel-mark.ts';

export function CancelLink({
  orderId,
  children = 'Cancel',
}: {
  readonly orderId: string;
  readonly children?: ReactNode;
}) {
  return (
    <LinkButton
      variant="quiet"
      size="small"
      href={linkTo('cancelOrder', orderId)}
      onClick={() => markCancellation(orderId)}
    >
      {children}
    </LinkButton>
  );
}
