import type { SectionProps, Shows } from '../section-props.ts';
import { StepList } from '../step-list.tsx';

export const shows: Shows = ['workStep'];

export default function WorkSteps({ content: { workStep = [] } }: SectionProps) {
  return <StepList title="How we work" steps={workStep} />;
}
