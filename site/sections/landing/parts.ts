/** The sections of the landing page from top to bottom. The contact form follows. */
import type { SectionFile } from '../section-props.ts';
import * as about from './about.tsx';
import * as banner from './banner.tsx';
import * as counters from './counters.tsx';
import { NewestArticles } from './newest-articles.tsx';
import { PricingPlans, shows as plansShow } from './pricing-plans.tsx';
import { Services, shows as servicesShow } from './services.tsx';

export const landingParts: readonly SectionFile[] = [
  banner,
  about,
  counters,
  { shows: servicesShow, default: Services },
  { shows: plansShow, default: PricingPlans },
  { shows: [], default: NewestArticles },
];
