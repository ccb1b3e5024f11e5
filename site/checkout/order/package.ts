/** The package that is being ordered, at its current price. */
import type { RecordOf } from '#contract/sections/index.ts';

export type Package = RecordOf<'pricingPackage'>;
