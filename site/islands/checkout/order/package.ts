/** The package that is being ordered, as it is sold at this moment. */
import { sections, type RecordOf } from '../../../../worker/contract/sections/index.ts';
import { makeCall } from '../../shared/call.ts';

export type Package = RecordOf<'pricingPackage'>;

export const readPackage = async (id: string, signal: AbortSignal): Promise<Package> =>
  (await makeCall('GET /pricing/:id', { id, signal })).data;

const pointFields = Object.keys(sections.pricingPackage.fields).filter(
  (field): field is Extract<keyof Package, `packagePoint${string}`> => field.startsWith('packagePoint'),
);

/** What the package promises, blank points left out. */
export const pointsOf = (chosen: Package): readonly string[] =>
  pointFields.map((field) => chosen[field]).filter((point) => point.trim() !== '');
