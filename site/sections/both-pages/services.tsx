/**
 * The services as both pages show them, for the editor's preview. Pages do not import it, because it includes
 * the styles of both.
 */
import { Services } from '../landing/services.tsx';
import { ServiceDetails } from '../service-details.tsx';
import type { SectionProps } from '../section-props.ts';

export { shows } from '../landing/services.tsx';

export default function ServicesOnBothPages({ content }: SectionProps) {
  return (
    <>
      <Services content={content} />
      <ServiceDetails content={content} />
    </>
  );
}
