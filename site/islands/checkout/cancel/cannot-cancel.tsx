/** Why an order is not cancelled, and what can be done instead. */
import type { ReactNode } from 'react';
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#components/alert.tsx';
import { LinkButton } from '#components/button.tsx';

interface CannotCancelProps {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

export function CannotCancel({ id, title, children }: CannotCancelProps) {
  return (
    <Alert
      tone="warning"
      title={title}
      action={
        <>
          <LinkButton variant="secondary" href={linkTo('myOrder', id)}>
            See the order
          </LinkButton>
          <LinkButton variant="secondary" href={linkTo('contact')}>
            Write to us
          </LinkButton>
        </>
      }
    >
      {children}
    </Alert>
  );
}
