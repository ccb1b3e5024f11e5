/** Structured data (schema.org as JSON-LD), from the same records as the page, so that the prices match. */
import type {
  Article as SchemaArticle,
  BreadcrumbList,
  FAQPage,
  OfferCatalog,
  Organization,
  Service,
  Thing,
  WithContext,
} from 'schema-dts';
import { articlePath, type Article } from '#contract/articles.ts';
import { firmNameIn } from '#contract/brand.ts';
import { formatCents, parsePriceCents } from '#contract/money.ts';
import { displayNameOf, isMonthly } from '#contract/packages.ts';
import { linkTo } from '#contract/screens.ts';
import { only, type PublicContent } from '#contract/sections/index.ts';
import { cardPoints, inCardOrder, orderPath } from '../sections/packages.ts';
import type { Crumb } from '../sections/page-heading.tsx';
import { sharedPicture } from './search-text.ts';
import { safeHref, safeSrc } from '../ui/safe-link.tsx';

const context = 'https://schema.org';

/** JSON for a `<script>`. Escapes `<`, so that no text can end the element. */
export const jsonForScript = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c');

/** Returns the absolute URL of a picture or a page. */
export const absolute = (siteUrl: string, address: string) =>
  address.startsWith('/') ? `${siteUrl}${address}` : address;

const organizationId = (siteUrl: string) => `${siteUrl}${linkTo('home')}#organization`;

/** The firm, under its brand name. */
export function organization(content: PublicContent, siteUrl: string): WithContext<Organization> {
  const name = firmNameIn(content);
  const about = only(content.footerAbout);
  const address = only(content.footerAddress);
  const social = only(content.footerSocial);
  const logo = safeSrc(only(content.logo)?.logo);
  const profiles = [social?.youlink, social?.fblink, social?.inslink].flatMap((link) => {
    const href = safeHref(link);
    return href?.startsWith('http') === true ? [href] : [];
  });
  return {
    '@context': context,
    '@type': 'Organization',
    '@id': organizationId(siteUrl),
    url: `${siteUrl}/`,
    ...(name !== '' && { name }),
    ...(about && { description: about.aboutFooterDetails }),
    ...(logo !== undefined && { logo: absolute(siteUrl, logo) }),
    ...(address && {
      telephone: address.phoneNumber,
      email: address.emailAddress,
      address: address.location,
    }),
    ...(profiles.length > 0 && { sameAs: profiles }),
  };
}

/** A monthly price (https://schema.org/UnitPriceSpecification). */
const monthlyPrice = (cents: number) => ({
  '@type': 'UnitPriceSpecification' as const,
  price: formatCents(cents),
  priceCurrency: 'USD',
  billingDuration: 1,
  billingIncrement: 1,
  unitCode: 'MON',
});

function packageCatalog(content: PublicContent, siteUrl: string): OfferCatalog {
  return {
    '@type': 'OfferCatalog',
    name: 'Pricing Plan',
    itemListElement: inCardOrder(content.pricingPackage).flatMap((plan) => {
      const cents = parsePriceCents(plan.packagePrice);
      if (cents === undefined) return [];
      return [
        {
          '@type': 'Offer' as const,
          name: displayNameOf(plan),
          description: [plan.packageFor, ...cardPoints(plan, 'pricing'), plan.packageTerms]
            .filter((text) => text !== '')
            .join('. '),
          price: formatCents(cents),
          priceCurrency: 'USD',
          ...(isMonthly(plan) && { priceSpecification: monthlyPrice(cents) }),
          url: `${siteUrl}${orderPath(plan)}`,
        },
      ];
    }),
  };
}

/** The firm's offer, with the packages and their prices. */
export function service(content: PublicContent, siteUrl: string): WithContext<Service> {
  const text = only(content.serviceText);
  return {
    '@context': context,
    '@type': 'Service',
    serviceType: 'Search engine optimization for loan agencies',
    provider: { '@id': organizationId(siteUrl) },
    ...(text && { name: text.serviceHeading, description: text.servicesubHeading }),
    hasOfferCatalog: packageCatalog(content, siteUrl),
  };
}

/** The questions and answers of the page; undefined if there are none. */
export function faqPage(content: PublicContent): WithContext<FAQPage> | undefined {
  if (content.faqItem.length === 0) return undefined;
  return {
    '@context': context,
    '@type': 'FAQPage',
    mainEntity: content.faqItem.map((item) => ({
      '@type': 'Question',
      name: item.accodingTitle,
      acceptedAnswer: { '@type': 'Answer', text: item.accodingText },
    })),
  };
}

/** The breadcrumbs of a page. @param steps from the first one, ending with the page itself */
export const breadcrumbsOf = (steps: readonly Crumb[], siteUrl: string): WithContext<BreadcrumbList> => ({
  '@context': context,
  '@type': 'BreadcrumbList',
  itemListElement: [{ name: 'Home', href: linkTo('home') }, ...steps].map(({ name, href }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: `${siteUrl}${href}`,
  })),
});

/** The breadcrumbs of a page directly below the landing page. */
export const breadcrumbs = (name: string, path: string, siteUrl: string): WithContext<BreadcrumbList> =>
  breadcrumbsOf([{ name, href: path }], siteUrl);

/** An article for search engines. https://developers.google.com/search/docs/appearance/structured-data/article */
export function articleData(
  article: Article,
  content: PublicContent,
  siteUrl: string,
): WithContext<SchemaArticle> {
  const { title, summary, author, publishedOn, revisedOn, cover } = article;
  const picture = sharedPicture(content, undefined, cover);
  const firm = firmNameIn(content);
  return {
    '@context': context,
    '@type': 'Article',
    headline: title,
    description: summary,
    datePublished: publishedOn,
    dateModified: revisedOn || publishedOn,
    mainEntityOfPage: `${siteUrl}${articlePath(article)}`,
    author: author
      ? { '@type': 'Person', name: author }
      : { '@type': 'Organization', ...(firm && { name: firm }), url: `${siteUrl}/` },
    publisher: { '@id': organizationId(siteUrl) },
    ...(picture && { image: absolute(siteUrl, picture.src) }),
  };
}

/** What a page describes besides the firm; undefined without records. */
export type PageThing = WithContext<Thing> | undefined;

/** The firm and the things on a page. */
export const graphOf = (content: PublicContent, siteUrl: string, things: readonly PageThing[]) =>
  [organization(content, siteUrl), ...things].filter((thing) => thing !== undefined);
