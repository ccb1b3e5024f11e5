/** Texts of a package. It is not part of `firm-name.ts`, because the sections load with it. */
import { fillName } from '#contract/brand.ts';
import { firmName } from '#site/ui/firm-name.ts';

/** A text of the content with the firm's name filled in. */
export const named = (text: string): string => fillName(text, firmName());
