/** From choosing a package to the first report, on the pricing page. */
import { Band } from '../band.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import { StepList } from '../step-list.tsx';

export const shows: Shows = ['step'];

export default function HowItWorks({ content }: SectionProps) {
  const steps = content.step ?? [];
  if (steps.length === 0) return null;
  return (
    <Band>
      <SectionHeading title="How it works" />
      <StepList
        steps={steps.map((step) => ({
          id: step._id,
          number: step.stepNumber,
          title: step.stepTitle,
          details: step.stepDetails,
        }))}
      />
    </Band>
  );
}
