/** `/order-now/{id}`: the order form of the chosen package. */
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { displayNameOf } from '#contract/packages.ts';
import { linkTo } from '#contract/screens.ts';
import { LoadedScreen } from '#site/app/loaded-screen.tsx';
import { callQuery, joinQueries, queryClient, responseQuery } from '#site/app/query.ts';
import { CallError, type ApiResponse, type CallData } from '#site/app/call.ts';
import { OrderForm } from './order-form.tsx';
import { knownCustomer, lastOrder, openOrderOf, openOrders } from './place-order.ts';

/** @throws CallError 401 for somebody whose session has ended */
function emailIn({ data: { account } }: ApiResponse<CallData<'GET /auth/session'>>): string {
  if (account) return account.email;
  throw new CallError({ title: 'Signed out', status: 401, detail: 'Please log in to place an order.' });
}

/** The query client loads with this screen: no other screen of the checkout uses it. */
export default function OrderScreen({ id }: { readonly id: string }) {
  return (
    <QueryClientProvider client={queryClient}>
      <LoadedOrderForm id={id} />
    </QueryClientProvider>
  );
}

function LoadedOrderForm({ id }: { readonly id: string }) {
  const query = joinQueries({
    chosen: useQuery(callQuery('GET /pricing/:id', { id })),
    email: useQuery({ ...responseQuery('GET /auth/session'), select: emailIn }),
    last: useQuery(callQuery('GET /orders', { query: lastOrder })),
    open: useQuery(callQuery('GET /orders', { query: openOrders })),
    profile: useQuery(callQuery('GET /auth/profile')),
  });
  return (
    <LoadedScreen
      title={query.data ? `Order the ${displayNameOf(query.data.chosen)} package` : 'Order now'}
      intro="Tell us who the order is for. You pay by card once it is placed."
      missing={{
        title: 'There is no such package',
        why: 'The address may be misspelled. Choose one of our packages to go on.',
        wayOn: { href: linkTo('pricing'), label: 'See the packages' },
      }}
      query={query}
    >
      {({ chosen, email, last: [last], open, profile }) => (
        <OrderForm
          chosen={chosen}
          email={email}
          customer={knownCustomer(last, profile)}
          openOrder={openOrderOf(chosen.packageName, open)}
        />
      )}
    </LoadedScreen>
  );
}
