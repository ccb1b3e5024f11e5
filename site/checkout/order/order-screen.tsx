/** `/order-now/{id}`: the order form of the chosen package. */
import { linkTo } from '#contract/screens.ts';
import { LoadedScreen } from '#site/app/loaded-screen.tsx';
import { readSession } from '#site/app/session.ts';
import { useLoaded } from '#site/app/use-loaded.ts';
import { CallError } from '#site/app/call.ts';
import { OrderForm } from './order-form.tsx';
import { findOpenOrder, readKnownCustomer } from './place-order.ts';
import { readPackage } from './package.ts';

async function readForm(id: string, signal: AbortSignal) {
  const [chosen, account, { customer, hasOrdered }] = await Promise.all([
    readPackage(id, signal),
    readSession(signal),
    readKnownCustomer(signal),
  ]);
  if (!account)
    throw new CallError({ title: 'Signed out', status: 401, detail: 'Please log in to place an order.' });
  const openOrder = hasOrdered ? await findOpenOrder(chosen.packageName, signal) : undefined;
  return { chosen, email: account.email, customer, openOrder };
}

export default function OrderScreen({ id }: { readonly id: string }) {
  const loaded = useLoaded(id, (signal) => readForm(id, signal));
  return (
    <LoadedScreen
      title={loaded.data ? `Order the ${loaded.data.chosen.packageName} package` : 'Order now'}
      intro="Tell us who the order is for. You pay by card once it is placed."
      missing={{
        title: 'There is no such package',
        why: 'The address may be misspelled. Choose one of our packages to go on.',
        wayOn: { href: linkTo('pricing'), label: 'See the packages' },
      }}
      loaded={loaded}
    >
      {(form) => <OrderForm {...form} />}
    </LoadedScreen>
  );
}
