/** Every screen, section and new-item form that the user may open, with the words that find them. */
import { titleInText } from '#contract/section.ts';
import { linkTo } from '#contract/screens.ts';
import { linkToHome } from '#contract/all-screens.ts';
import { sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import { can } from '#site/admin/content/content-calls.ts';
import { addHash, sectionHomes } from '#site/admin/content/section-homes.ts';
import { offered, siteEntries, workEntries } from '../entries.ts';
import { offers } from '../role.ts';
import type { Option } from './matching.ts';

const newOrder = { href: linkTo('newOrder'), label: 'New order', ability: 'orders' } as const;

const screens = (): readonly Option[] =>
  offered([...workEntries, ...siteEntries, newOrder]).map(({ href, label }) => ({
    href,
    label,
    about: 'Screen',
    words: screenSynonyms[href] ?? '',
  }));

/** A section is found by its title, its fields, and other words. */
const sections = (): readonly Option[] =>
  sectionHomes.map(({ path, title, sections: names }) => ({
    href: path,
    label: title,
    about: 'Section',
    words: names
      .flatMap((name) => {
        const section = sectionNamed(name);
        const labels = Object.values(section.fields).map(({ label }) => label);
        return [section.title, sectionSynonyms[name] ?? '', ...labels];
      })
      .join(' '),
  }));

const additions = (): readonly Option[] =>
  sectionNames
    .filter((name) => sectionNamed(name).kind === 'list' && can(name, 'add'))
    .map((name) => ({
      href: `${linkToHome(name)}${addHash}`,
      label: `Add ${titleInText(sectionNamed(name))}`,
      about: 'Form',
      words: 'new create',
    }));

export const places = (): readonly Option[] => [
  ...screens(),
  ...(offers('content') ? [...sections(), ...additions()] : []),
];

/** By screen path. */
const screenSynonyms: Readonly<Record<string, string>> = {
  [linkTo('admin')]: 'home dashboard start sales chart revenue',
  [linkTo('orders')]: 'sales purchases refunds deliver delivery unpaid paid',
  [linkTo('newOrder')]: 'add place create order for customer',
  [linkTo('subscriptions')]: 'monthly recurring renewals mrr churn',
  [linkTo('ledger')]: 'money payments refunds transactions stripe balance bookkeeping accounting',
  [linkTo('coupons')]: 'discounts promo codes vouchers',
  [linkTo('messages')]: 'inbox contact form inquiries mail reply',
  [linkTo('customers')]: 'clients people accounts buyers crm',
  [linkTo('subscribers')]: 'newsletter emails mailing list',
  [linkTo('needsAttention')]: 'problems to do failed disputes tasks overdue',
  [linkTo('settings')]: 'sections edit website texts cms settings',
  [linkTo('releases')]: 'schedule publish later drafts preview',
  [linkTo('publications')]: 'history revisions restore undo removed trash versions',
  [linkTo('auditLog')]: 'security log who did what sign-ins',
  [linkTo('addPaymentKey')]: 'stripe api publishable card payments',
  [linkTo('members')]: 'team roles admins editors support invite permissions accounts',
};

/** By section name. */
const sectionSynonyms: Readonly<Partial<Record<SectionName, string>>> = {
  banner: 'hero headline top first button',
  about: 'who we are company story',
  counters: 'numbers figures statistics stats',
  serviceText: 'services offer',
  pricingPackage: 'price prices packages plans cost amount basic standard premium',
  comparisonRow: 'compare table features matrix',
  testimonialText: 'reviews quotes customers say',
  faqText: 'questions answers help',
  videoText: 'film youtube clip',
  teamText: 'people staff employees',
  workStep: 'process how we work',
  step: 'process how it works',
  callToAction: 'cta button',
  experience: 'skills bars percent',
  sampleReport: 'example report pdf',
  article: 'blog posts guides case studies news',
  contactDetail: 'address phone email map office',
  brand: 'logo color colour name favicon icon dark share picture theme',
  logo: 'brand header picture',
  footerAddress: 'phone email address location contact',
  footerSocial: 'facebook instagram youtube links',
  copyright: 'year bottom line',
  legalPage: 'privacy terms refunds policy legal cookies',
  searchText: 'seo google title description meta share',
  briefQuestion: 'questionnaire onboarding intake',
  planStep: 'work schedule tasks due',
  media: 'images photos pictures library uploads files',
  businessDetails: 'tax vat ein invoice receipt legal seller company address',
  redirect: 'old links urls 301 moved',
  designItem: 'canva templates social',
};
