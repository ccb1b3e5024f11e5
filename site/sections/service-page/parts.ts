/** What stands on the service page, from its top: its heading, the figures, each service in full, and the sections of its own. */
import * as counters from '../landing/counters.tsx';
import { shows as servicesShow } from '../landing/services.tsx';
import { headingPart } from '../page-heading.tsx';
import { inPageOrder } from '../page-order.ts';
import type { SectionFile } from '../section-props.ts';
import { ServiceDetails } from '../service-details.tsx';

export const serviceParts: readonly SectionFile[] = [
  headingPart('Services'),
  counters,
  { shows: servicesShow, default: ServiceDetails },
  ...inPageOrder(import.meta.glob<SectionFile>('./*.tsx', { eager: true })),
];
