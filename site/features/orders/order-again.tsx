/** A link from a cancelled order to a new order of the same package. The order form prefills the details. */
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { api } from '#site/app/call.ts';
import { useAttempt } from '../pay/use-attempt.ts';

/**
 * An order contains only the name of its package. Until the package's id is known, the link opens all packages. The pay
 * page also uses this component, so it does not load the query client.
 */
export function OrderAgain({ packageName }: { readonly packageName: string }) {
  const packages = useAttempt('packages', (signal) => api('GET /pricings', { signal }));
  const id = packages.data?.data.find((each) => each.packageName === packageName)?._id;
  return (
    <LinkButton href={id === undefined ? linkTo('pricing') : linkTo('orderForm', id)}>Order again</LinkButton>
  );
}
