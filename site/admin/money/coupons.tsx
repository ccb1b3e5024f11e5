/** Coupons: a form that makes one, and the list of all with what they were used for. */
import { TicketPercent } from 'lucide-react';
import { displayDiscount } from '#contract/coupons.ts';
import type { Coupon } from '#contract/coupons.calls.ts';
import { counted } from '#contract/counted.ts';
import { displayDate } from '#contract/days.ts';
import { displayPrice } from '#contract/money.ts';
import { Badge } from '#site/ui/badge.tsx';
import { Button } from '#site/ui/button.tsx';
import { confirm } from '#site/ui/confirm.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { Table } from '#site/ui/table.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { api } from '#site/app/call.ts';
import { WhenLoaded } from '#site/app/failure.tsx';
import { useAction } from '#site/app/use-action.ts';
import { useLoaded } from '#site/app/use-loaded.ts';
import { Panel, ScreenFrame } from '../shell/screen.tsx';
import { NewCoupon } from './new-coupon.tsx';

const readCoupons = async (signal: AbortSignal) => (await api('GET /coupons', { signal })).data;

export default function Coupons() {
  const loaded = useLoaded('coupons', readCoupons);
  const { act } = useAction(useToast());

  async function end({ _id, code }: Coupon) {
    const isSure = await confirm({
      title: `End the coupon ${code}?`,
      text: 'New orders cannot use it any more. Orders that use it keep their price. An ended coupon stays ended.',
      confirm: 'End coupon',
    });
    if (isSure && (await act(() => api('POST /coupon/:id/end', { id: _id }), 'Coupon ended')))
      loaded.reload();
  }

  return (
    <ScreenFrame
      title="Coupons"
      intro="A code that takes something off the price of an order. Customers type it into the order form, or follow a link that ends with ?coupon= and the code."
    >
      <Panel title="New coupon">
        <NewCoupon onAdded={loaded.reload} />
      </Panel>
      <Panel title={loaded.data ? counted(loaded.data.length, 'coupon') : 'Coupons'}>
        <WhenLoaded loaded={loaded}>
          {(coupons) => <CouponTable coupons={coupons} onEnd={(coupon) => void end(coupon)} />}
        </WhenLoaded>
      </Panel>
    </ScreenFrame>
  );
}

const tones = { Active: 'success', Ended: 'neutral', Expired: 'neutral', 'Used up': 'info' } as const;

interface CouponTableProps {
  readonly coupons: readonly Coupon[];
  readonly onEnd: (coupon: Coupon) => void;
}

const CouponTable = ({ coupons, onEnd }: CouponTableProps) => (
  <Table
    caption="Coupons"
    rows={coupons}
    rowKey={({ _id }) => _id}
    columns={[
      { key: 'code', header: 'Code', phone: 'lead', cell: ({ code }) => <strong>{code}</strong> },
      { key: 'discount', header: 'Discount', phone: 'end', cell: displayDiscount },
      {
        key: 'packages',
        header: 'Packages',
        phone: 'named',
        cell: ({ packages }) => packages.join(', ') || 'All',
      },
      {
        key: 'lastDay',
        header: 'Last day',
        phone: 'named',
        cell: ({ lastDay }) => (lastDay === '' ? 'None' : displayDate(lastDay)),
      },
      { key: 'uses', header: 'Used by', phone: 'named', cell: usesText },
      {
        key: 'discounts',
        header: 'Discounts',
        align: 'end',
        phone: 'named',
        cell: ({ discountCents }) => displayPrice(discountCents, { withCents: true }),
      },
      {
        key: 'sold',
        header: 'Sales',
        align: 'end',
        phone: 'named',
        cell: ({ soldCents }) => displayPrice(soldCents, { withCents: true }),
      },
      {
        key: 'state',
        header: 'State',
        phone: 'plain',
        cell: ({ state }) => <Badge tone={tones[state]}>{state}</Badge>,
      },
      {
        key: 'end',
        header: 'End',
        align: 'end',
        phone: 'way',
        cell: (coupon) =>
          coupon.endedAt === null && (
            <Button
              variant="quiet"
              size="small"
              aria-label={`End ${coupon.code}`}
              onClick={() => onEnd(coupon)}
            >
              End
            </Button>
          ),
      },
    ]}
    empty={
      <EmptyState title="No coupons yet" icon={<TicketPercent aria-hidden="true" />}>
        Coupons that you make will be listed here, with the orders that use them.
      </EmptyState>
    }
  />
);

/** `3 of 10 orders, once a customer` */
function usesText({ uses, mostUses, oncePerCustomer }: Coupon): string {
  const orders = mostUses === null ? counted(uses, 'order') : `${uses} of ${counted(mostUses, 'order')}`;
  return oncePerCustomer ? `${orders}, once a customer` : orders;
}
