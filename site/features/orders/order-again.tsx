/** The way from a cancelled order to a new one of the same package; the order form fills in who it is for. */
import { useEffect, useState } from 'react';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { api } from '#site/app/call.ts';

/**
 * An order keeps its package's name; where that is not known (yet), the way leads to all packages. The pay page shows
 * this too, so it does without the query client.
 */
export function OrderAgain({ packageName }: { readonly packageName: string }) {
  const [id, setId] = useState<string>();
  useEffect(() => {
    const controller = new AbortController();
    api('GET /pricings', { signal: controller.signal }).then(
      ({ data }) => setId(data.find((each) => each.packageName === packageName)?._id),
      () => undefined,
    );
    return () => controller.abort();
  }, [packageName]);
  return (
    <LinkButton href={id === undefined ? linkTo('pricing') : linkTo('orderForm', id)}>Order again</LinkButton>
  );
}
