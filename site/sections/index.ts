/**
 * Which component shows which section: the very ones the pages use, so that the editor's preview is what visitors will
 * see. Pages import the components directly, because this map brings every section's styles along.
 */
import type { ComponentType } from 'react';
import { About } from './about.tsx';
import { Banner } from './banner.tsx';
import { CallToAction } from './call-to-action.tsx';
import { ContactDetails } from './contact-details.tsx';
import { Counters } from './counters.tsx';
import { Experience } from './experience.tsx';
import { Faq } from './faq.tsx';
import { Features } from './features.tsx';
import { Footer } from './footer.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { Navbar } from './navbar.tsx';
import { PricingPlans } from './pricing-plans.tsx';
import { SearchSnippets } from './search-snippet.tsx';
import type { PublicSectionName, SectionProps } from './section-props.ts';
import { Services } from './services.tsx';
import { Team } from './team.tsx';
import { Testimonials } from './testimonials.tsx';
import { Video } from './video.tsx';
import { WorkSteps } from './work-steps.tsx';

export type { PublicSectionName, SectionProps } from './section-props.ts';

export const sectionPreviews: Readonly<Record<PublicSectionName, ComponentType<SectionProps>>> = {
  banner: Banner,
  logo: Navbar,
  about: About,
  serviceText: Services,
  serviceItem: Services,
  counters: Counters,
  pricingPackage: PricingPlans,
  testimonialText: Testimonials,
  testimonial: Testimonials,
  footerAddress: Footer,
  footerSocial: Footer,
  copyright: Footer,
  footerAbout: Footer,
  contactDetail: ContactDetails,
  experience: Experience,
  featuresText: Features,
  featureItem: Features,
  workStep: WorkSteps,
  videoText: Video,
  videoItem: Video,
  teamText: Team,
  teamItem: Team,
  callToAction: CallToAction,
  step: HowItWorks,
  faqText: Faq,
  faqItem: Faq,
  searchText: SearchSnippets,
};
