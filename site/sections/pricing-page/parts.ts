/** What stands on the pricing page, from its top: its heading, the packages in full, and the sections of its own. */
import { createElement } from 'react';
import { only } from '#contract/sections/index.ts';
import { PricingPlans } from '../landing/pricing-plans.tsx';
import { PageHeading } from '../page-heading.tsx';
import { inPageOrder } from '../page-order.ts';
import type { SectionFile, SectionProps } from '../section-props.ts';

const heading: SectionFile = {
  shows: ['pricingText'],
  default: ({ content }: SectionProps) =>
    createElement(PageHeading, {
      title: 'Pricing Plan',
      text: only(content.pricingText ?? [])?.pricingPageText,
    }),
};

const plansInFull: SectionFile = {
  shows: ['pricingPackage'],
  default: (props: SectionProps) => createElement(PricingPlans, { ...props, place: 'pricing' }),
};

export const pricingParts: readonly SectionFile[] = [
  heading,
  plansInFull,
  ...inPageOrder(import.meta.glob<SectionFile>('./*.tsx', { eager: true })),
];
