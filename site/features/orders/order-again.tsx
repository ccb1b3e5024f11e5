/** The way from a cancelled order to a new one of the same package; the order form fills in who it is for. */
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { api } from '#site/app/call.ts';
import { useLoaded } from '#site/app/use-loaded.ts';

/** An order keeps its package's name; where that is not known (yet), the way leads to all packages. */
export function OrderAgain({ packageName }: { readonly packageName: string }) {
  const packages = useLoaded('packages', async (signal) => (await api('GET /pricings', { signal })).data);
  const found = packages.data?.find((each) => each.packageName === packageName);
  return (
    <LinkButton href={found ? linkTo('orderForm', found._id) : linkTo('pricing')}>Order again</LinkButton>
  );
}
