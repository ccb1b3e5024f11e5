/** How the work goes, on the service page. */
import { Band } from '../band.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import { StepList } from '../step-list.tsx';

export const shows: Shows = ['workStep'];

export default function WorkSteps({ content }: SectionProps) {
  const steps = content.workStep ?? [];
  if (steps.length === 0) return null;
  return (
    <Band>
      <SectionHeading title="How we work" />
      <StepList
        steps={steps.map((step) => ({
          id: step._id,
          number: step.stepNumber,
          title: step.stepTitle,
          details: step.stepDetails,
          icon: step.stapIcon,
        }))}
      />
    </Band>
  );
}
