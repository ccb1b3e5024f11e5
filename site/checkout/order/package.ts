/** The package that is being ordered, as it is sold at this moment. */
import { fillName } from '#contract/brand.ts';
import type { RecordOf } from '#contract/sections/index.ts';
import { firmName } from '#site/ui/firm-name.ts';

export type Package = RecordOf<'pricingPackage'>;

/** A text of the package with the name of the firm. */
export const named = (text: string): string => fillName(text, firmName());
