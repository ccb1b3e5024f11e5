/** The steps from choosing a package to the first report, on the pricing page. */
import type { SectionProps, Shows } from '../section-props.ts';
import { StepList } from '../step-list.tsx';

export const shows: Shows = ['step'];

export default function HowItWorks({ content: { step = [] } }: SectionProps) {
  return <StepList title="How it works" steps={step} />;
}
