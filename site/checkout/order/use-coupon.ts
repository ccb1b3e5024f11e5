/** The coupon of an order form. The server computes the price with it; the order itself sends only the code. */
import { useEffect, useState } from 'react';
import type { CouponPrice } from '#contract/coupons.calls.ts';
import { couponOfVisit } from '#contract/source.ts';
import type { PackageName } from '#contract/orders.ts';
import { api } from '#site/app/call.ts';
import { callErrorOf } from '#site/app/call-error.ts';
import { firstAddress } from '#site/app/visit.ts';
import type { Package } from './place-order.ts';

export interface CouponChoice {
  /** The code in the URL of this page, the page before it or the first page of the visit; empty without one. */
  readonly linked: string;
  /** The price with the coupon; undefined without a valid one. */
  readonly applied: CouponPrice | undefined;
  /** Why the code does not apply. */
  readonly error: string | undefined;
  readonly isBusy: boolean;
  /** Requests the price with a code. An empty code removes the coupon. */
  readonly apply: (code: string) => void;
}

type Found = Partial<Pick<CouponChoice, 'applied' | 'error'>> & { readonly isBusy: boolean };

/** The URL of this site's page that led here; empty for another site. */
const pageBefore = () => (document.referrer.startsWith(`${location.origin}/`) ? document.referrer : '');

/** @param listPrice the package's price; when it changes, the price with the coupon is requested again */
export function useCoupon({ packageName }: Package, listPrice: string): CouponChoice {
  const [linked] = useState(() => couponOfVisit([location.href, pageBefore(), firstAddress()]));
  // A new object for each attempt, so that the same code can be tried again.
  const [wanted, setWanted] = useState({ code: linked });
  const [found, setFound] = useState<Found>({ isBusy: false });

  useEffect(() => {
    const { code } = wanted;
    const leaving = new AbortController();
    const { signal } = leaving;
    const show = (result: Found) => {
      if (!signal.aborted) setFound(result);
    };
    if (code.trim() === '') show({ isBusy: false });
    else {
      show({ isBusy: true });
      const body = { couponCode: code, packageName: packageName as PackageName };
      api('POST /coupon-price', { body, signal }).then(
        ({ data }) => show({ isBusy: false, applied: data }),
        (failure: unknown) => show({ isBusy: false, error: callErrorOf(failure).message }),
      );
    }
    return () => leaving.abort();
  }, [wanted, packageName, listPrice]);

  const { applied, error, isBusy } = found;
  return { linked, applied, error, isBusy, apply: (code) => setWanted({ code }) };
}
