import { expect, test } from 'vitest';
import { displayPriceText } from '#contract/money.ts';
import { exampleContent, examplePackage } from '../sections/example-content.ts';
import { breadcrumbs, faqPage, graphOf, jsonForScript, organization, service } from './structured-data.ts';

const siteUrl = 'https://site.example';
const content = {
  ...exampleContent(),
  pricingPackage: [
    examplePackage('Basic', { packagePrice: '499' }),
    examplePackage('Premium', { packagePrice: '1499.5' }),
  ],
};

test('Search engines get the price that the package card shows', () => {
  const { offers } = JSON.parse(jsonForScript({ offers: service(content, siteUrl) })) as {
    offers: { hasOfferCatalog: { itemListElement: { name: string; price: string; url: string }[] } };
  };
  const listed = offers.hasOfferCatalog.itemListElement;
  expect(listed.map(({ price }) => price)).toEqual(['499.00', '1499.50']);
  for (const [index, plan] of content.pricingPackage.entries())
    expect(Number(listed[index]?.price)).toBe(
      Number(displayPriceText(plan.packagePrice).replace(/[$,]/g, '')),
    );
  expect(listed[0]?.url).toBe('https://site.example/order-now/Basic-id');
});

test('Structured data says that a price is due every month, and omits a hidden package', () => {
  const pricingPackage = [
    examplePackage('Basic', { displayName: 'Care', billing: 'monthly' }),
    examplePackage('Premium'),
    examplePackage('Standard', { hidden: 'yes' }),
  ];
  expect(service({ ...content, pricingPackage }, siteUrl)).toMatchObject({
    hasOfferCatalog: {
      itemListElement: [
        { name: 'Care', price: '499.00', priceSpecification: { billingDuration: 1, unitCode: 'MON' } },
        expect.not.objectContaining({ priceSpecification: expect.anything() as unknown }) as unknown,
      ],
    },
  });
});

test('Text in structured data cannot end the script around it', () => {
  const json = jsonForScript({ text: '</script><script>alert(1)</script><!--' });
  expect(json).not.toContain('<');
  expect(JSON.parse(json)).toEqual({ text: '</script><script>alert(1)</script><!--' });
});

test('A profile that is not a web address is left out', () => {
  const [social] = content.footerSocial;
  if (!social) throw new Error('no social');
  const links = { youlink: 'https://a.example/', fblink: 'javascript:alert(1)', inslink: '#' };
  const graph = organization({ ...content, footerSocial: [{ ...social, ...links }] }, siteUrl);
  expect(graph).toMatchObject({ sameAs: ['https://a.example/'] });
});

test('Structured data lists the questions of a page', () => {
  expect(faqPage({ ...content, faqItem: [] })).toBeUndefined();
  expect(faqPage(content)).toMatchObject({
    mainEntity: [{ name: 'accodingTitle text', acceptedAnswer: { text: 'accodingText text' } }],
  });
  expect(graphOf(content, siteUrl, [undefined, breadcrumbs('Contact', '/contact', siteUrl)])).toHaveLength(2);
});
