/** Other words that find a screen or a section. */
import { linkTo } from '#contract/screens.ts';
import type { SectionName } from '#contract/sections/index.ts';

/** By the path of the screen. */
export const screenSynonyms: Readonly<Record<string, string>> = {
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

/** By the name of the section. */
export const sectionSynonyms: Readonly<Partial<Record<SectionName, string>>> = {
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
