/** The way from a cancelled order to a new one of the same package; the order form fills in who it is for. */
import { useQuery } from '@tanstack/react-query';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { callQuery } from '#site/app/query.ts';

/** An order keeps its package's name; where that is not known (yet), the way leads to all packages. */
export function OrderAgain({ packageName }: { readonly packageName: string }) {
  const packages = useQuery(callQuery('GET /pricings'));
  const found = packages.data?.find((each) => each.packageName === packageName);
  return (
    <LinkButton href={found ? linkTo('orderForm', found._id) : linkTo('pricing')}>Order again</LinkButton>
  );
}
