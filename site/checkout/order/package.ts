/** The package that is being ordered, at its current price. */
import { fillName } from '#contract/brand.ts';
import type { RecordOf } from '#contract/sections/index.ts';
import { firmName } from '#site/ui/firm-name.ts';

export type Package = RecordOf<'pricingPackage'>;

/** Returns a text of the package with the firm's name filled in. */
export const named = (text: string): string => fillName(text, firmName());
