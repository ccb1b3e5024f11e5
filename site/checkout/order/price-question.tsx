/** Asks the customer to accept a price that has changed since they saw it. */
import { displayPriceText } from '#contract/money.ts';
import { Button } from '#site/ui/button.tsx';
import { Dialog } from '#site/ui/dialog.tsx';

export interface PriceQuestionProps {
  readonly name: string;
  readonly price: string;
  readonly formerPrice: string;
  readonly isOpen: boolean;
  readonly onOrder: () => void;
  readonly onClose: () => void;
}

export function PriceQuestion({ name, price, formerPrice, isOpen, onOrder, onClose }: PriceQuestionProps) {
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      title="The price has changed"
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Do not order
          </Button>
          <Button onClick={onOrder}>Order for {displayPriceText(price)}</Button>
        </>
      }
    >
      <p>
        The {name} package costs <strong>{displayPriceText(price)}</strong> now; it was{' '}
        {displayPriceText(formerPrice)} when you opened this page. Nothing has been ordered yet.
      </p>
    </Dialog>
  );
}
