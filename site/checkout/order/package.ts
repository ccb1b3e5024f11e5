/** The package that is being ordered, as it is sold at this moment. */
import { fillName } from '#contract/brand.ts';
import type { RecordOf } from '#contract/sections/index.ts';
import { api } from '#site/app/call.ts';
import { firmName } from '#site/ui/firm-name.ts';

export type Package = RecordOf<'pricingPackage'>;

/** The package, with the name of the firm in its texts. */
export async function readPackage(id: string, signal: AbortSignal): Promise<Package> {
  const { data } = await api('GET /pricing/:id', { id, signal });
  const named = Object.entries(data).map(([field, text]) => [field, fillName(text, firmName())]);
  return Object.fromEntries(named) as Package;
}
