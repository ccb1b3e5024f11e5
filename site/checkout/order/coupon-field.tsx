/**
 * The coupon code of an order. It is collapsed until the customer opens it, unless they came from a link with a
 * code.
 */
import { useContext, useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react';
import { displayPriceText } from '#contract/money.ts';
import { Button } from '#site/ui/button.tsx';
import { Field, FormErrors } from '#site/ui/field.tsx';
import { isComposing } from '#site/ui/is-composing.ts';
import type { CouponChoice } from './use-coupon.ts';
import { classNames } from '#site/ui/class-names.ts';
import summary from '#site/ui/summary.module.css';
import css from './order-form.module.css';

export function CouponField({ coupon }: { readonly coupon: CouponChoice }) {
  const { linked, applied, isBusy } = coupon;
  /** Why the order was rejected because of its coupon. */
  const error = useContext(FormErrors)['couponCode'];
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(linked !== '');
  if (error !== undefined && !isOpen) setOpen(true);
  const apply = () => coupon.apply(field.current?.value ?? '');
  const removeDiscount = useEffectEvent(() => coupon.apply(''));
  useEffect(() => {
    if (error !== undefined) removeDiscount();
  }, [error]);

  function applyByEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return;
    // Enter would place the order.
    event.preventDefault();
    apply();
  }

  return (
    <details open={isOpen || undefined}>
      <summary className={classNames(summary['summary'], summary['more'])}>Coupon code</summary>
      <Field
        ref={field}
        className={css['coupon']}
        label="Coupon code"
        name="couponCode"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required={false}
        maxLength={100}
        defaultValue={linked}
        error={error ?? coupon.error}
        onChange={({ nativeEvent, currentTarget }) => {
          // A restored code (useSessionFields) is applied again after a reload. While the user types, the price is
          // the one without a coupon until they apply the code.
          const isRestored = !nativeEvent.isTrusted && currentTarget.value !== '';
          if (isRestored) setOpen(true);
          coupon.apply(isRestored ? currentTarget.value : '');
        }}
        onKeyDown={applyByEnter}
        trailing={
          <Button variant="secondary" busy={isBusy} onClick={apply}>
            Apply
          </Button>
        }
      />
      <p role="status">
        {applied && `${applied.code} takes ${displayPriceText(applied.discount)} off ${applied.takenOff}.`}
      </p>
    </details>
  );
}
