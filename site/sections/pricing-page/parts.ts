/** The sections of the pricing page from top to bottom: heading, full packages, and the page's own sections. */
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
