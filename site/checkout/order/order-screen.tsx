/** `/order-now/{id}`: the order form of the chosen package. */
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { WhenLoaded } from '#site/app/failure.tsx';
import { readSession } from '#site/app/session.ts';
import { useLoaded } from '#site/app/use-loaded.ts';
import { CallError } from '#site/app/call.ts';
import { ScreenFrame } from '#site/ui/screen-frame.tsx';
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
  if (loaded.error?.status === 404)
    return (
      <ScreenFrame title="Order now">
        <EmptyState
          title="There is no such package"
          action={<LinkButton href={linkTo('pricing')}>See the packages</LinkButton>}
        >
          The address may be misspelled. Choose one of our packages to go on.
        </EmptyState>
      </ScreenFrame>
    );
  return (
    <ScreenFrame
      title={loaded.data ? `Order the ${loaded.data.chosen.packageName} package` : 'Order now'}
      intro="Tell us who the order is for. You pay by card once it is placed."
    >
      <WhenLoaded loaded={loaded} lines={8}>
        {(form) => <OrderForm {...form} />}
      </WhenLoaded>
    </ScreenFrame>
  );
}
