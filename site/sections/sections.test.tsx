import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import {
  isShown,
  sectionNamed,
  sectionNames,
  type PublicContent,
  type PublicSectionName,
} from '#contract/sections/index.ts';
import Banner from './landing/banner.tsx';
import Counters from './landing/counters.tsx';
import { exampleContent, examplePackage } from './example-content.ts';
import Footer from './every-page/footer.tsx';
import Navbar from './every-page/navbar.tsx';
import Comparison from './pricing-page/comparison.tsx';
import Experience from './service-page/experience.tsx';
import SampleReport from './service-page/sample-report.tsx';
import { inPageOrder } from './page-order.ts';
import type { SectionFile } from './section-props.ts';
import { Contact } from './contact.tsx';
import { PricingPlans } from './landing/pricing-plans.tsx';
import { landingParts } from './landing/parts.ts';
import { pricingParts } from './pricing-page/parts.ts';
import { serviceParts } from './service-page/parts.ts';

/** Other files in these folders export no sections. */
const files = import.meta.glob<Partial<SectionFile>>('./*/*.tsx', { eager: true });
/** The heading of the comparison is a text of the pricing page. */
const comparisonHeading = { shows: ['pricingText'], default: Comparison } as const;
const parts = [...Object.values(files), ...landingParts, ...pricingParts, ...serviceParts, comparisonHeading];

/** The components that show a section on one of the pages. */
const componentsOf = (name: PublicSectionName) =>
  new Set(
    parts.flatMap(({ shows = [], default: component }) =>
      component && shows.includes(name) ? [component] : [],
    ),
  );

const publicSections = sectionNames.filter((name) => isShown(name));
/** The sections in every page's frame and in the pricing page's heading. They render without records. */
const frames = ['pricingText', 'brand', 'logo', 'footerAddress', 'footerSocial', 'copyright', 'footerAbout'];

/** Points that the cards on the landing page do not show. */
const furtherPoints = /^packagePoint(?:Seven|Eight|Nine|Ten)$/;

const render = (name: PublicSectionName, content: Partial<PublicContent>): string =>
  Array.from(componentsOf(name), (Part) => renderToStaticMarkup(<Part content={content} />)).join('');

test('Every public section has a component', () => {
  expect(publicSections.filter((name) => componentsOf(name).size === 0)).toEqual([]);
});

test.each([
  [
    'services',
    import.meta.glob<SectionFile>('./service-page/*.tsx', { eager: true }),
    ['Experience', 'Features', 'WorkSteps', 'SampleReport', 'Video', 'Team', 'CallToAction'],
  ],
  [
    'packages',
    import.meta.glob<SectionFile>('./pricing-page/*.tsx', { eager: true }),
    ['Comparison', 'HowItWorks', 'WorkedExample', 'Testimonials', 'Faq'],
  ],
])('Visitors see the sections of the %s page in order', (_page, files, wanted) => {
  const shown = inPageOrder(files).map((file) => file.default.name);
  expect(shown.filter((name) => wanted.includes(name))).toEqual(wanted);
});

test('The sample report comes before the services, as the second section of the service page', () => {
  const shown = serviceParts.flatMap(({ shows }) => shows);
  expect(shown.slice(0, 3)).toEqual(['counters', 'sampleReport', 'reportNote']);
  expect(shown.filter((name) => name === 'sampleReport')).toHaveLength(1);
});

describe('The section', () => {
  test.each(publicSections.filter((name) => !frames.includes(name)))(
    '%s without records renders nothing',
    (name) => {
      expect(render(name, {})).toBe('');
    },
  );

  test.each(publicSections)('%s shows the text of every field of its record', (name) => {
    const content = exampleContent();
    const html = render(name, content);
    const { fields } = sectionNamed(name);
    for (const [field, { kind = 'line', fixed }] of Object.entries(fields))
      if (['line', 'text', 'email'].includes(kind) && !fixed && !furtherPoints.test(field))
        expect(html).toContain(`${field} text`);
  });

  test.each(publicSections)('%s shows markup as typed and writes no style attribute', (name) => {
    const hostile = '"><img src=x onerror=alert(1)><script>alert(1)</script>';
    const content = JSON.parse(
      JSON.stringify(exampleContent(), (key, value: unknown) =>
        typeof value === 'string' && key !== '_id' ? hostile : value,
      ),
    ) as PublicContent;
    const html = render(name, content);
    for (const markup of ['<img src=x', '<script', ' style=']) expect(html).not.toContain(markup);
  });
});

test('Visitors read the name of a package and that it is paid every month, and nothing about a hidden one', () => {
  const pricingPackage = [
    examplePackage('Basic', { displayName: 'Monthly care', billing: 'monthly' }),
    examplePackage('Premium'),
    examplePackage('Standard', { displayName: 'Secret', hidden: 'yes' }),
  ];
  const content = { ...exampleContent(), pricingPackage };
  for (const Part of [PricingPlans, Comparison]) {
    const text = renderToStaticMarkup(<Part content={content} />).replaceAll(/<[^>]+>/g, '');
    expect(text).toMatch(/Monthly care.*\$499 per month/);
    expect(text).toMatch(/Premium.*\$499(?! per month)/);
    expect(text).not.toMatch(/Secret|Standard/);
  }
});

describe('The heading', () => {
  test.each([
    ['serviceText', { serviceItem: [] }],
    ['featuresText', { featureItem: [] }],
    ['teamText', { teamItem: [] }],
    ['testimonialText', { testimonial: [] }],
    ['faqText', { faqItem: [] }],
    ['step', { step: [] }],
    ['workStep', { workStep: [] }],
    ['pricingPackage', { pricingPackage: [] }],
  ] as const)('of %s is absent when its list is empty', (name, empty) => {
    const content = exampleContent();
    expect(render(name, content)).not.toBe('');
    expect(render(name, { ...content, ...empty })).toBe('');
  });

  test('of the video is present if there is a video or a list', () => {
    const content = exampleContent();
    const [video] = content.videoText;
    if (!video) throw new Error('no video');
    const withoutLink = [{ ...video, videoLink: '' }];
    expect(render('videoText', { ...content, videoItem: [] })).toContain('headingVideo text');
    expect(render('videoText', { ...content, videoText: withoutLink })).toContain('headingVideo text');
    expect(render('videoText', { ...content, videoText: withoutLink, videoItem: [] })).toBe('');
  });

  test('of the figures and of the networks is absent when all of them are empty', () => {
    const blank = <T extends object>(records: readonly T[], keep: RegExp): T[] =>
      records.map(
        (record) =>
          Object.fromEntries(
            Object.entries(record).map(([field, value]) => [
              field,
              keep.test(field) ? (value as string) : '',
            ]),
          ) as T,
      );
    const content = exampleContent();
    expect(render('counters', { ...content, counters: blank(content.counters, /_id|Text$/) })).toBe('');
    const footer = render('footerSocial', {
      ...content,
      footerSocial: blank(content.footerSocial, /_id|Text$/),
    });
    expect(footer).toContain('copyrightText text');
    expect(footer).not.toContain('aboutText text');
  });
});

test('The counters end with a plus sign, and an empty one is absent', () => {
  const [counters] = exampleContent().counters;
  if (!counters) throw new Error('no counters');
  const html = renderToStaticMarkup(
    <Counters content={{ counters: [{ ...counters, happyClientsNumber: '140', winingAwardNumber: '' }] }} />,
  );
  expect(html).toMatch(/140<span[^>]*>\+<\/span>/);
  expect(html.match(/<dd/g)).toHaveLength(4);
});

test('A skill bar stays between 0 and 100', () => {
  const [experience] = exampleContent().experience;
  if (!experience) throw new Error('no experience');
  const html = renderToStaticMarkup(
    <Experience
      content={{
        experience: [
          { ...experience, skillOneNumber: '95', skillTwoNumber: '140', skillThreeNumber: 'many' },
        ],
      }}
    />,
  );
  expect(html).toMatch(/<meter[^>]*value="95"/);
  expect(html).toMatch(/<meter[^>]*value="100"/);
  expect(html.match(/<meter/g)).toHaveLength(2);
});

test('The banner has no button when its link is unsafe', () => {
  const [banner] = exampleContent().banner;
  if (!banner) throw new Error('no banner');
  const html = renderToStaticMarkup(
    <Banner content={{ banner: [{ ...banner, buttonURL: 'javascript:alert(1)' }] }} />,
  );
  expect(html).not.toContain('<a');
});

test('The banner shows the lowest price that visitors can order, and links to the sample report if there is one', () => {
  const { banner, sampleReport } = exampleContent();
  const pricingPackage = [
    examplePackage('Premium', { packagePrice: '1499' }),
    examplePackage('Standard', { packagePrice: '99', hidden: 'yes' }),
    examplePackage('Basic', { packagePrice: '499', billing: 'monthly', packageTerms: 'Cancel any time' }),
  ];
  const html = renderToStaticMarkup(<Banner content={{ banner, sampleReport, pricingPackage }} />);
  expect(html).toMatch(/From \$499 per month<\/strong> Cancel any time/);
  expect(html).toContain('href="/service/#sample-report"');
  const alone = renderToStaticMarkup(<Banner content={{ banner }} />);
  expect(alone).not.toMatch(/From|sample-report/);
});

describe('The package cards', () => {
  const prices = { Standard: '899', Premium: '1499', Basic: '499' };
  const pricingPackage = Object.entries(prices).map(([name, packagePrice]) =>
    examplePackage(name, { packagePrice, packageReason: name === 'Standard' ? 'Most begin here.' : '' }),
  );
  const cardsOf = (html: string) =>
    [...html.matchAll(/<h[23] class="\w*name\w*">(\w+)<\/h[23]>(.*?)<\/ul>/g)].map(([, name, card = '']) => ({
      name,
      points: (card.match(/Point \d+/g) ?? []).length,
      link: /href="([^"]+)"/.exec(card)?.[1],
    }));

  test('are in the order of their prices and link to their order forms', () => {
    const cards = cardsOf(renderToStaticMarkup(<PricingPlans content={{ pricingPackage }} />));
    expect(cards.map(({ name, link }) => [name, link])).toEqual([
      ['Basic', '/order-now/Basic-id'],
      ['Standard', '/order-now/Standard-id'],
      ['Premium', '/order-now/Premium-id'],
    ]);
  });

  test('give the reason for the recommended package only', () => {
    const html = renderToStaticMarkup(<PricingPlans content={{ pricingPackage }} />);
    expect(html.match(/Recommended/g)).toHaveLength(1);
    expect(html).toMatch(/Most begin here\..*Standard<\/h3>/);
  });

  test('show who a package is for and what its price covers', () => {
    const plan = examplePackage('Basic', { packageFor: 'For one office', packageTerms: 'One-time' });
    const html = renderToStaticMarkup(<PricingPlans content={{ pricingPackage: [plan] }} />);
    expect(html).toMatch(/For one office.*\$499.*One-time/);
  });

  test.each([
    ['Order', 'Order: Basic'],
    ['Order Basic', undefined],
  ])('label the button “%s” only where its text does not name the package', (packageButtonText, label) => {
    const plan = examplePackage('Basic', { packageButtonText });
    const html = renderToStaticMarkup(<PricingPlans content={{ pricingPackage: [plan] }} />);
    expect(/<a [^>]*aria-label="([^"]*)"/.exec(html)?.[1]).toBe(label);
  });

  test.each([
    ['landing', [6, 6, 7]],
    ['pricing', [7, 7, 8]],
  ] as const)('show on the %s page %j points', (place, points) => {
    const cards = cardsOf(renderToStaticMarkup(<PricingPlans content={{ pricingPackage }} place={place} />));
    expect(cards.map((card) => card.points)).toEqual(points);
  });

  test('skip empty points', () => {
    const html = renderToStaticMarkup(
      <PricingPlans content={{ pricingPackage: [examplePackage('Basic', { packagePointTwo: ' ' })] }} />,
    );
    expect(html.match(/Point \d+/g)).toEqual([
      'Point 1',
      'Point 3',
      'Point 4',
      'Point 5',
      'Point 6',
      'Point 7',
    ]);
  });
});

test('The comparison shows the packages in the order of their prices, and yes and no as icons', () => {
  const { comparisonRow } = exampleContent();
  const [row] = comparisonRow;
  if (!row) throw new Error('no row');
  const html = renderToStaticMarkup(
    <Comparison
      content={{
        pricingPackage: [
          examplePackage('Premium', { packagePrice: '1499' }),
          examplePackage('Basic', { packagePrice: '499' }),
        ],
        comparisonRow: [{ ...row, basicValue: 'no', premiumValue: 'Yes' }],
      }}
    />,
  );
  expect(html).toMatch(/Basic.*\$499.*Premium.*\$1,499/);
  expect(html).toMatch(/aria-label="No".*aria-label="Yes"/);
});

test('The header marks the entry of the current page', () => {
  const currentOn = (current: string) =>
    /aria-current="true">([^<]+)</.exec(
      renderToStaticMarkup(<Navbar content={exampleContent()} current={current} />),
    )?.[1];
  expect(['/', '/service/', '/pricing/', '/contact', '/thanks'].map(currentOn)).toEqual([
    'Home',
    'Services',
    'Pricing Plan',
    'Contact',
    undefined,
  ]);
});

test('A page that lists the contact details does not repeat them next to the form', () => {
  const content = exampleContent();
  const [address] = content.footerAddress;
  const contactWith = (hasWays: boolean) =>
    renderToStaticMarkup(
      <Contact content={content} hasWays={hasWays}>
        form
      </Contact>,
    );
  expect(contactWith(false)).toContain(address?.emailAddress);
  expect(contactWith(true)).not.toContain(address?.emailAddress);
});

test('The navbar does not link to parts that the landing page does not have', () => {
  const { serviceItem, about, ...others } = exampleContent();
  const linksWith = (content: Partial<PublicContent>) => renderToStaticMarkup(<Navbar content={content} />);
  expect(linksWith({ ...others, serviceItem, about })).toMatch(/#about-sec.*#services-sec/);
  expect(linksWith({ ...others, serviceItem: [], about: [] })).not.toMatch(/#about-sec|#services-sec/);
});

test('The footer links to the service page only if there are services', () => {
  const { serviceItem, ...others } = exampleContent();
  const linksWith = (content: Partial<PublicContent>) => renderToStaticMarkup(<Footer content={content} />);
  expect(linksWith({ ...others, serviceItem })).toContain('href="/service/"');
  expect(linksWith({ ...others, serviceItem: [] })).not.toContain('href="/service/"');
});

test('An article that begins with its summary shows it once', () => {
  const { article } = exampleContent();
  const textsFor = (summary: string) => {
    const text = 'We *lend* here.\n\nMore.';
    const html = render('article', { article: article.map((one) => ({ ...one, summary, text })) });
    return html.replace(/<[^>]*>/g, '').split('lend here.').length - 1;
  };
  expect(textsFor('We lend here.')).toBe(1);
  expect(textsFor('How we lend here.')).toBe(2);
});

test('The first page of the sample report loads with the page, because a phone shows its top immediately', () => {
  const { sampleReport } = exampleContent();
  const pages = sampleReport.map((one) => ({ ...one, reportPageOne: '/one.svg', reportPageTwo: '/two.svg' }));
  const html = renderToStaticMarkup(<SampleReport content={{ sampleReport: pages }} />);
  const isLazy = Array.from(html.matchAll(/<img [^>]*>/g), ([picture]) => picture.includes('loading="lazy"'));
  expect(isLazy).toEqual([false, true]);
});
