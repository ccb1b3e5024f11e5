/**
 * The content of a new site: the records of sections with fixed records, the brand, the three packages, the
 * business pages and the search texts. People type everything else on the site.
 */
import { defaultAccent } from '#contract/colors.ts';
import { firstBrandName } from '#contract/first-content.ts';
import { legalTextsFor } from './legal-texts.ts';
import type { Input } from '#contract/section.ts';
import type { Sections } from '#contract/sections/index.ts';
import { senderIn } from '#worker/settings.ts';
import type { Settings } from './settings.ts';

type FixedSections = {
  readonly [N in keyof Sections as Sections[N]['kind'] extends 'fixed' ? N : never]: readonly Input<
    Sections[N]
  >[];
};

export const firstContent = {
  brand: [{ name: firstBrandName, accentColor: defaultAccent }],
  pricingPackage: [
    {
      packageName: 'Basic',
      packagePrice: '499',
      billing: 'once',
      hidden: 'no',
      packageButtonText: 'Order Basic',
      packageFor: 'For one office in one town',
      packageTerms: 'One-time, done in 30 days',
      packagePointOne: '2 loan pages written and published',
      packagePointTwo: 'Site review with a list of fixes',
      packagePointThree: 'Google Business Profile set up',
      packagePointFour: '10 local listings corrected',
      packagePointFive: 'Two-page report after 30 days',
      packagePointSix: 'Questions answered by email',
      packagePointSeven: 'Every draft approved by you',
    },
    {
      packageName: 'Premium',
      packagePrice: '1499',
      billing: 'once',
      hidden: 'no',
      packageButtonText: 'Order Premium',
      packageFor: 'For agencies with several offices',
      packageTerms: 'One-time, done in 30 days',
      packagePointOne: '8 loan pages written and published',
      packagePointTwo: 'Site review, and we make the fixes',
      packagePointThree: 'A page for each of up to 5 offices',
      packagePointFour: '40 listings corrected, Google profiles managed',
      packagePointFive: '6 mentions in local papers and associations',
      packagePointSix: 'A report for each office after 30 days',
      packagePointSeven: 'Questions by email, phone and a weekly call',
      packagePointEight: 'Every draft approved by you',
    },
    {
      packageName: 'Standard',
      packagePrice: '899',
      billing: 'once',
      hidden: 'no',
      packageButtonText: 'Order Standard',
      packageFor: 'For one office that serves a county',
      packageTerms: 'One-time, done in 30 days',
      packageReason: 'Most agencies start here: we make the fixes, and count what they bring.',
      packagePointOne: '4 loan pages written and published',
      packagePointTwo: 'Site review, and we make the fixes',
      packagePointThree: '20 listings corrected, Google profile managed',
      packagePointFour: '2 mentions in local papers and associations',
      packagePointFive: 'Two-page report after 30 days',
      packagePointSix: 'Questions answered by email and phone',
      packagePointSeven: 'Every draft approved by you',
    },
  ],
  legalPage: legalTextsFor({}),
  searchText: [
    {
      page: '/',
      pageTitle: '{name}: SEO packages for loan agencies',
      pageDescription:
        'Fixed-price SEO for mortgage brokers and loan agencies: pages, fixes and local listings, with a report that counts applications instead of clicks.',
    },
    {
      page: '/pricing/',
      pageTitle: 'SEO packages and prices for lenders | {name}',
      pageDescription:
        'Basic, Standard and Premium SEO packages for loan agencies, with fixed prices, what each contains, how an order works and answers to common questions.',
    },
    {
      page: '/service/',
      pageTitle: 'What we do for loan agencies | {name}',
      pageDescription:
        'Site review, loan pages, local listings, links, speed and counting: how we bring borrowers to independent lenders, and who does the work.',
    },
    {
      page: '/contact',
      pageTitle: 'Contact {name} about SEO for lenders',
      pageDescription:
        'Call, write or visit us, or send a message: tell us where you lend and what you would like to be found for. A person reads every message.',
    },
  ],
} as const satisfies FixedSections;

/**
 * The first content with the deployment's retention periods and a name for the firm: the sender's name in its emails,
 * or otherwise the host of the site.
 */
export const firstContentFor = ({ MAIL_FROM = '', SITE_URL = '', ...settings }: Settings) => ({
  ...firstContent,
  legalPage: legalTextsFor(settings),
  brand: firstContent.brand.map((brand) => ({
    ...brand,
    name: senderIn(MAIL_FROM)?.name ?? URL.parse(SITE_URL)?.hostname ?? brand.name,
  })),
});
