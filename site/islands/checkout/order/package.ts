/** The package that is being ordered, as it is sold at this moment. */
import { sectionCalls } from '../../../../worker/contract/calls.ts';
import { pricingPackage } from '../../../../worker/contract/sections/landing.ts';
import type { Row } from '../../../../worker/contract/section.ts';
import { makeCall } from '../../shared/call.ts';

export type Package = Row<typeof pricingPackage>;

export async function readPackage(id: string, signal: AbortSignal): Promise<Package> {
  const { read } = sectionCalls('pricingPackage');
  if (!read) throw new Error('A package has no call that reads it.');
  return (await makeCall<Package>(read, { id, signal })).data;
}

const pointFields = Object.keys(pricingPackage.fields).filter(
  (field): field is Extract<keyof Package, `packagePoint${string}`> => field.startsWith('packagePoint'),
);

/** What the package promises, blank points left out. */
export const pointsOf = (chosen: Package): readonly string[] =>
  pointFields.map((field) => chosen[field]).filter((point) => point.trim() !== '');
