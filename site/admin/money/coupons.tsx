/** The form for a new coupon, and the list of all coupons with their uses. */
import { TicketPercent } from 'lucide-react';
import { displayCouponMonths, displayDiscount } from '#contract/coupons.ts';
import type { Coupon } from '#contract/coupons.calls.ts';
import { counted } from '#contract/counted.ts';
import { displayDate } from '#contract/days.ts';
import { displayPrice } from '#contract/money.ts';
import { linkTo } from '#contract/screens.ts';
import { classNames } from '#site/ui/class-names.ts';
import { Badge } from '#site/ui/badge.tsx';
import { Card } from '#site/ui/card.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { Table } from '#site/ui/table.tsx';
import { api } from '#site/app/call.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useCall } from '#site/app/query.ts';
import { ActionButton } from '#site/app/action-button.tsx';
import { ScreenFrame } from '../shell/screen.tsx';
import { NewCoupon, usePackageTitle } from './new-coupon.tsx';
import css from '../lists/order-columns.module.css';

export default function Coupons() {
  const list = useCall('GET /coupons');
  return (
    <ScreenFrame
      title="Coupons"
      intro="Codes that reduce the price. Customers enter one on the order form, or you send them a link that fills it in."
    >
      <Card title="New coupon">
        <NewCoupon />
      </Card>
      <Card title={list.data ? counted(list.data.length, 'coupon') : 'Coupons'}>
        <QueryBoundary query={list}>{(coupons) => <CouponTable coupons={coupons} />}</QueryBoundary>
      </Card>
    </ScreenFrame>
  );
}

const tones = { Active: 'success', Ended: 'neutral', Expired: 'neutral', 'Used up': 'info' } as const;

function CouponTable({ coupons }: { readonly coupons: readonly Coupon[] }) {
  const titleOf = usePackageTitle();
  return (
    <Table
      caption="Coupons"
      rows={coupons}
      columns={[
        { header: 'Code', phone: 'lead', cell: ({ code }) => <strong className="words">{code}</strong> },
        {
          header: 'Discount',
          phone: 'end',
          cell: (coupon) =>
            coupon.months === 1
              ? displayDiscount(coupon)
              : `${displayDiscount(coupon)} ${displayCouponMonths(coupon.months)}`,
        },
        {
          header: 'Packages',
          phone: 'named',
          cell: ({ packages }) => packages.map(titleOf).join(', ') || 'All',
        },
        {
          header: 'Last day',
          phone: 'named',
          cell: ({ lastDay }) => (
            <span className={css['whole']}>{lastDay === '' ? 'None' : displayDate(lastDay)}</span>
          ),
        },
        { header: 'Used by', phone: 'named', cell: usesText },
        {
          header: 'Discounts',
          align: 'end',
          phone: 'named',
          cell: ({ discountCents }) => displayPrice(discountCents),
        },
        {
          header: 'Sales',
          align: 'end',
          phone: 'named',
          cell: ({ soldCents }) => displayPrice(soldCents),
        },
        { header: 'Status', phone: 'plain', cell: ({ state }) => <Badge tone={tones[state]}>{state}</Badge> },
        {
          header: 'Action',
          align: 'end',
          phone: 'way',
          cell: (coupon) => canEnd(coupon) && <CouponActions coupon={coupon} />,
        },
      ]}
      empty={
        <EmptyState title="No coupons yet" icon={<TicketPercent />}>
          Coupons that you add will be listed here, with the orders that use them.
        </EmptyState>
      }
    />
  );
}

const canEnd = ({ endedAt, state }: Coupon): boolean => endedAt === null && state !== 'Expired';

function CouponActions({ coupon: { _id, code, state } }: { readonly coupon: Coupon }) {
  const link = `${location.origin}${linkTo('pricing')}?coupon=${code}`;
  return (
    <div className={classNames(css['whole'], 'flush')}>
      {state === 'Active' && (
        <ActionButton
          variant="quiet"
          size="small"
          aria-label={`Copy link for ${code}`}
          action={() => navigator.clipboard.writeText(link)}
          done="Link copied"
          changesNothing
        >
          Copy link
        </ActionButton>
      )}
      <ActionButton
        variant="quiet"
        size="small"
        aria-label={`End ${code}`}
        action={() => api('POST /coupon/:id/end', { id: _id })}
        done="Coupon ended"
        question={{
          title: `End the coupon ${code}?`,
          text: 'New orders can no longer use it. Orders that use it keep their price. You cannot reactivate it.',
          confirm: 'End coupon',
        }}
      >
        End
      </ActionButton>
    </div>
  );
}

/** Returns a text such as '3 of 10 orders, once per customer'. */
function usesText({ uses, mostUses, oncePerCustomer }: Coupon): string {
  const orders = mostUses === null ? counted(uses, 'order') : `${uses} of ${counted(mostUses, 'order')}`;
  return oncePerCustomer ? `${orders}, once per customer` : orders;
}
