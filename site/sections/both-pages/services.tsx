/** The services as both pages show them, for the editor's preview. A page that took it would carry the styles of the other. */
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
