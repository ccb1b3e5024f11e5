/** The package that is being ordered, as it is sold at this moment. */
import type { RecordOf } from '#contract/sections/index.ts';

export type Package = RecordOf<'pricingPackage'>;
