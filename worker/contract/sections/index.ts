/** The registry: every section of the site, in the order in which administrators meet them. */
import type { Row, Section } from '../section.ts';
import { adminUser, designItem, paymentKey } from './behind-the-scenes.ts';
import {
  contactDetail,
  copyright,
  footerAbout,
  footerAddress,
  footerSocial,
  logo,
  searchText,
} from './every-page.ts';
import { about, banner, counters, pricingPackage } from './landing.ts';
import { faqItem, faqText, step, testimonial, testimonialText } from './pricing-page.ts';
import {
  callToAction,
  experience,
  featureItem,
  featuresText,
  serviceItem,
  serviceText,
  teamItem,
  teamText,
  videoItem,
  videoText,
  workStep,
} from './service-page.ts';

export const sections = {
  banner,
  logo,
  about,
  serviceText,
  serviceItem,
  counters,
  pricingPackage,
  testimonialText,
  testimonial,
  footerAddress,
  footerSocial,
  copyright,
  footerAbout,
  contactDetail,
  experience,
  featuresText,
  featureItem,
  workStep,
  videoText,
  videoItem,
  teamText,
  teamItem,
  callToAction,
  step,
  faqText,
  faqItem,
  searchText,
  paymentKey,
  adminUser,
  designItem,
} as const satisfies Record<string, Section>;

export type Sections = typeof sections;
export type SectionName = keyof Sections;

/** Names of all sections, in registry order. */
export const sectionNames = Object.keys(sections) as SectionName[];

/** One section as plain data, for code that treats all sections alike. */
export const sectionNamed = (name: SectionName): Section => sections[name];

/** A stored record of the named section. */
export type RecordOf<N extends SectionName> = Row<Sections[N]>;

/** Every record of every section, each list in display order. */
export type Content = { readonly [N in SectionName]: readonly RecordOf<N>[] };

/** The part of the content that public pages are rendered from. */
export type PublicContent = Omit<Content, 'paymentKey' | 'adminUser' | 'designItem'>;

/** The record of a singleton, or undefined while there is none. */
export const only = <T>(records: readonly T[]): T | undefined => records[0];
