import type { CouponPrice } from '#contract/coupons.calls.ts';
import { displayCouponMonths } from '#contract/coupons.ts';
import { displayPriceText } from '#contract/money.ts';
import { displayNameOf, displayPackagePrice, isMonthly, pointsOf } from '#contract/packages.ts';
import { Card } from '#site/ui/card.tsx';
import { Points } from '#site/ui/points.tsx';
import { named } from '#site/ui/firm-name.ts';
import type { Package } from './use-order.ts';
import { classNames } from '#site/ui/class-names.ts';
import css from './package-summary.module.css';

interface PackageSummaryProps {
  readonly chosen: Package;
  readonly price: string;
  readonly formerPrice: string | undefined;
  /** The price with a coupon; undefined without one. */
  readonly coupon: CouponPrice | undefined;
}

const below = classNames('note', css['below']);

export function PackageSummary({ chosen, price, formerPrice, coupon }: PackageSummaryProps) {
  return (
    <Card title={`${named(displayNameOf(chosen))} package`}>
      <p className="figure">
        {displayPackagePrice({
          ...chosen,
          packagePrice: coupon?.price ?? price,
          couponCode: coupon?.code ?? '',
        })}
        {coupon && (
          <span className={below}>
            {' '}
            {displayPriceText(coupon.listPrice)} less {displayPriceText(coupon.discount)} with {coupon.code}
            {isMonthly(chosen) ? `, for ${displayCouponMonths(coupon.months)}.` : '.'}
          </span>
        )}
        {formerPrice !== undefined && (
          <span className={below}> The price was {displayPriceText(formerPrice)}.</span>
        )}
        {chosen.packageTerms && <span className={below}>{named(chosen.packageTerms)}</span>}
      </p>
      <Points points={pointsOf(chosen).map(named)} />
    </Card>
  );
}
