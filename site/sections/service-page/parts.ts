/** What stands on the service page, from its top: its heading, the figures, a report to look at, the services, and the other sections of its own. */
import * as counters from '../landing/counters.tsx';
import { shows as servicesShow } from '../landing/services.tsx';
import { headingPart } from '../page-heading.tsx';
import { inPageOrder } from '../page-order.ts';
import type { SectionFile } from '../section-props.ts';
import { ServiceDetails } from '../service-details.tsx';

const { './sample-report.tsx': sampleReport, ...others } = import.meta.glob<SectionFile>('./*.tsx', {
  eager: true,
});

export const serviceParts: readonly SectionFile[] = [
  headingPart('Services'),
  counters,
  ...(sampleReport ? [sampleReport] : []),
  { shows: servicesShow, default: ServiceDetails },
  ...inPageOrder(others),
];
