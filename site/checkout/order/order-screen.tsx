/** `/order-now/{id}`: the order form of a package. A visitor without an account creates one with it. */
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { displayNameOf } from '#contract/packages.ts';
import { linkTo } from '#contract/screens.ts';
import { LoadedScreen } from '#site/app/loaded-screen.tsx';
import { joinQueries, queryClient, useCall } from '#site/app/query.ts';
import { named } from '#site/ui/firm-name.ts';
import { OrderForm } from './order-form.tsx';
import { readBuyer, type Buyer } from './place-order.ts';

const buyerQuery = {
  queryKey: ['buyer'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => readBuyer(signal),
  select: (buyer: Buyer | null) => buyer,
};

/** The query client loads with this screen, because no other checkout screen uses it. */
export default function OrderScreen({ id }: { readonly id: string }) {
  return (
    <QueryClientProvider client={queryClient}>
      <LoadedOrderForm id={id} />
    </QueryClientProvider>
  );
}

function LoadedOrderForm({ id }: { readonly id: string }) {
  const query = joinQueries({
    chosen: useCall('GET /pricing/:id', { id }),
    buyer: useQuery(buyerQuery),
  });
  return (
    <LoadedScreen
      title={query.data ? `Order the ${named(displayNameOf(query.data.chosen))} package` : 'Order now'}
      intro="Tell us who the order is for. You pay by card after you place the order."
      missing={{
        title: 'We could not find this package',
        why: 'The address may be misspelled. Choose one of our packages to continue.',
        wayOn: { href: linkTo('pricing'), label: 'See the packages' },
      }}
      query={query}
    >
      {({ chosen, buyer }) => <OrderForm chosen={chosen} buyer={buyer} />}
    </LoadedScreen>
  );
}
