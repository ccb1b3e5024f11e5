/**
 * What a new site begins with: the records of the sections to which nothing can be added, the three packages, the
 * business pages and the search texts. All else is typed into the site.
 */
import { legalTexts } from './legal-texts.ts';
import type { Input } from '#contract/section.ts';
import type { Sections } from '#contract/sections/index.ts';

type FixedSections = {
  readonly [N in keyof Sections as Sections[N]['kind'] extends 'fixed' ? N : never]: readonly Input<
    Sections[N]
  >[];
};

export const firstContent = {
  pricingPackage: [
    {
      packageName: 'Basic',
      packagePrice: '499',
      packageButtonText: 'Order Basic',
      packagePointOne: 'For one office in one town',
      packagePointTwo: 'Site review with a list of repairs',
      packagePointThree: '2 loan pages written and published',
      packagePointFour: 'Google Business Profile set right',
      packagePointFive: '10 local listings corrected',
      packagePointSix: 'Two-page report after 30 days',
      packagePointSeven: 'Questions answered by email',
      packagePointEight: '',
      packagePointNine: '',
      packagePointTen: '',
    },
    {
      packageName: 'Premium',
      packagePrice: '1499',
      packageButtonText: 'Order Premium',
      packagePointOne: 'For agencies with several offices',
      packagePointTwo: 'Site review, and we make the repairs',
      packagePointThree: '8 loan pages written and published',
      packagePointFour: 'A page for each of up to 5 offices',
      packagePointFive: '40 local listings corrected',
      packagePointSix: '6 mentions in local papers and associations',
      packagePointSeven: 'Report with calls and applications counted',
      packagePointEight: 'A named strategist and a call every week',
      packagePointNine: '',
      packagePointTen: '',
    },
    {
      packageName: 'Standard',
      packagePrice: '899',
      packageButtonText: 'Order Standard',
      packagePointOne: 'For one office that serves a county',
      packagePointTwo: 'Site review, and we make the repairs',
      packagePointThree: '4 loan pages written and published',
      packagePointFour: 'Google Business Profile kept for a month',
      packagePointFive: '20 local listings corrected',
      packagePointSix: '2 mentions in local papers and associations',
      packagePointSeven: 'Report with calls and forms counted',
      packagePointEight: '',
      packagePointNine: '',
      packagePointTen: '',
    },
  ],
  legalPage: legalTexts,
  searchText: [
    {
      page: '/',
      pageTitle: 'SEO packages for loan agencies',
      pageDescription:
        'Fixed-price SEO for mortgage brokers and loan agencies: pages, repairs and local listings, with a report that counts applications instead of clicks.',
    },
    {
      page: '/pricing/',
      pageTitle: 'SEO packages and prices for lenders',
      pageDescription:
        'Basic, Standard and Premium SEO packages for loan agencies, with fixed prices, what each contains, how an order goes and answers to common questions.',
    },
    {
      page: '/service/',
      pageTitle: 'What we do for loan agencies',
      pageDescription:
        'Site review, loan pages, local listings, links, speed and counting: how we bring borrowers to independent lenders, and who does the work.',
    },
    {
      page: '/contact',
      pageTitle: 'Contact us about SEO for lenders',
      pageDescription:
        'Call, write or visit us, or send a message: tell us where you lend and what you would like to be found for. A person reads every message.',
    },
  ],
} as const satisfies FixedSections;
