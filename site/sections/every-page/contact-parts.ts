/** What stands on the contact page, from its top; the contact form follows. */
import { headingPart } from '../page-heading.tsx';
import type { SectionFile } from '../section-props.ts';
import * as contactDetails from './contact-details.tsx';

export const contactParts: readonly SectionFile[] = [headingPart('Contact'), contactDetails];
