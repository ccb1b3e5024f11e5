/**
 * The coupon code of an order. The field is collapsed until the customer expands it, unless they came from a link with
 * a code. The server computes the price with the coupon; the order itself sends only the code.
 */
import { useContext, useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Button } from '#site/ui/button.tsx';
import { Field, FormErrors } from '#site/ui/field.tsx';
import { isComposing } from '#site/ui/is-composing.ts';
import { classNames } from '#site/ui/class-names.ts';
import summary from '#site/ui/summary.module.css';
import css from './order-screen.module.css';
import type { CouponPrice } from '#contract/coupons.calls.ts';
import { couponOfVisit } from '#contract/source.ts';
import type { PackageName } from '#contract/orders.ts';
import { callQuery } from '#site/app/query.ts';
import { firstAddress } from '#site/app/visit.ts';
import { discountOf } from './order-questions.tsx';
import type { Package } from './use-order.ts';

interface CouponChoice {
  /** The code in the URL of this page, the page before it or the first page of the visit; empty without one. */
  readonly linked: string;
  /** The price with the coupon; undefined without a valid one. */
  readonly applied: CouponPrice | undefined;
  readonly error: string | undefined;
  readonly isBusy: boolean;
  /** Requests the price with a code. An empty code removes the coupon. */
  readonly apply: (code: string) => void;
}

/** The URL of the page on this site that led here; empty for another site. */
const pageBefore = () => (document.referrer.startsWith(`${location.origin}/`) ? document.referrer : '');

/** @param listPrice the package's price; if it changes, the price with the coupon is requested again */
export function useCoupon({ packageName }: Package, listPrice: string): CouponChoice {
  const [linked] = useState(() => couponOfVisit([location.href, pageBefore(), firstAddress()]));
  // Attempts are counted, so that the same code can be tried again.
  const [{ code, attempt }, setWanted] = useState({ code: linked, attempt: 0 });
  const body = { couponCode: code, packageName: packageName as PackageName };
  const { data, error, isFetching } = useQuery({
    ...callQuery('POST /coupon-price', { body }),
    queryKey: ['coupon price', body, listPrice, attempt],
    enabled: code.trim() !== '',
  });
  return {
    linked,
    applied: data,
    error: error?.message,
    isBusy: isFetching,
    apply: (typed) => setWanted({ code: typed, attempt: attempt + 1 }),
  };
}

interface CouponFieldProps {
  readonly coupon: CouponChoice;
  readonly chosen: Package;
}

export function CouponField({ coupon, chosen }: CouponFieldProps) {
  const { linked, applied, isBusy } = coupon;
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
    // Enter would submit the order.
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
        {...(error !== undefined && { help: 'To order at the full price, clear this code.' })}
        onChange={({ nativeEvent, currentTarget }) => {
          // A restored code (useSessionFields) is applied again after a reload. While the user types a code, the price
          // without a coupon is shown until they apply the code.
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
      <p role="status">{applied && discountOf(applied, chosen)}</p>
    </details>
  );
}
