/** The sections of the service page from top to bottom. The last ones are the files in this folder. */
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
