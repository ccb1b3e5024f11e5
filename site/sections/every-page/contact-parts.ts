/** The sections of the contact page from top to bottom. The contact form follows. */
import { headingPart } from '../page-heading.tsx';
import type { SectionFile } from '../section-props.ts';
import * as contactDetails from './contact-details.tsx';

export const contactParts: readonly SectionFile[] = [headingPart('Contact'), contactDetails];
