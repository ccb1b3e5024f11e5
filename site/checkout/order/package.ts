/** The package that is being ordered, as it is sold at this moment. */
import type { RecordOf } from '#contract/sections/index.ts';
import { api } from '#site/app/call.ts';

export type Package = RecordOf<'pricingPackage'>;

export const readPackage = async (id: string, signal: AbortSignal): Promise<Package> =>
  (await api('GET /pricing/:id', { id, signal })).data;
