/** Sections of the landing page, in the order in which a visitor meets them. */
import type { Section } from '../section.ts';

export const banner = {
  table: 'banners',
  kind: 'singleton',
  title: 'Banner',
  about: 'The first thing on the landing page.',
  api: { list: '/banner', add: '/add-banner', read: '/banner/:id', update: '/update-banner/:id' },
  screen: { home: '/edit-banner', edit: '/banner/:id', editLink: 'Edit Banner Section' },
  alerts: { added: 'Banner is Updated', updated: 'Banner is Updated' },
  fields: {
    bannerHeading: { label: 'Heading', help: 'The one promise a visitor should remember.' },
    bannerDetails: { label: 'Details', kind: 'text' },
    bannerText: { label: 'Small text above the heading' },
    imageOne: { label: 'Image', kind: 'image' },
    buttonText: { label: 'Button text' },
    buttonURL: { label: 'Button link', kind: 'link' },
  },
} as const satisfies Section;

export const about = {
  table: 'abouts',
  kind: 'singleton',
  title: 'About',
  about: 'Who the firm is, on the landing page.',
  api: { list: '/about', add: '/add-about', read: '/about-us/:id', update: '/update-about/:id' },
  screen: { home: '/edit-about', edit: '/:id', editLink: 'Update About Section' },
  alerts: { added: 'About is Updated', updated: 'About is Updated' },
  titleField: 'aboutHeading',
  fields: {
    aboutImgOne: { label: 'Image', kind: 'image' },
    aboutHeading: { label: 'Heading' },
    aboutText: { label: 'Small text above the heading' },
    aboutDetails: { label: 'Details', kind: 'text' },
    aboutImg: { label: 'Second image', kind: 'image', editOnly: true },
    aboutPointone: { label: 'First point', editOnly: true },
    aboutPointwo: { label: 'Second point', editOnly: true },
    aboutPointhree: { label: 'Third point', editOnly: true },
  },
} as const satisfies Section;

export const counters = {
  table: 'counters',
  kind: 'singleton',
  title: 'Counters',
  about: 'The figures on the landing and service pages; each is shown with a plus sign.',
  api: { list: '/counters', add: '/add-counter', read: '/counters/:id', update: '/update-counters/:id' },
  screen: { home: '/edit-counter', edit: '/counters/:id', editLink: 'Update Counters Section' },
  alerts: { added: 'Counters is Updated', updated: 'Counters is Updated' },
  fields: {
    happyClientsNumber: { label: 'First number' },
    happyClientsText: { label: 'First text' },
    projectCompleteNumber: { label: 'Second number' },
    projectCompleteText: { label: 'Second text' },
    yearofExperienceNumber: { label: 'Third number' },
    yearofExperienceText: { label: 'Third text' },
    teamNumber: { label: 'Fourth number' },
    teamText: { label: 'Fourth text' },
    winingAwardNumber: { label: 'Fifth number', editOnly: true },
    winingAwardText: { label: 'Fifth text', editOnly: true },
  },
} as const satisfies Section;

export const pricingPackage = {
  table: 'pricing_packages',
  kind: 'fixed',
  title: 'Pricing',
  about: 'The three packages on the landing and pricing pages.',
  api: { list: '/pricings', read: '/pricing/:id', update: '/pricing/:id' },
  screen: { home: '/add-pricing/', edit: '/package-edit/:id', editLink: 'Edit Pricing' },
  fields: {
    packageName: { label: 'Name', kind: 'choice', options: ['Basic', 'Premium', 'Standard'], unique: true },
    packagePrice: { label: 'Price in US dollars', kind: 'price', help: 'For example 499 or 499.50.' },
    packageButtonText: { label: 'Button text' },
    packagePointOne: { label: 'Point 1', optional: true },
    packagePointTwo: { label: 'Point 2', optional: true },
    packagePointThree: { label: 'Point 3', optional: true },
    packagePointFour: { label: 'Point 4', optional: true },
    packagePointFive: { label: 'Point 5', optional: true },
    packagePointSix: { label: 'Point 6', optional: true },
    packagePointSeven: { label: 'Point 7', optional: true },
    packagePointEight: { label: 'Point 8', optional: true },
    packagePointNine: { label: 'Point 9', optional: true },
    packagePointTen: { label: 'Point 10', optional: true },
  },
} as const satisfies Section;
