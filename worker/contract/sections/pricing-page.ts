/** Sections of the pricing page after the packages, in the order in which a visitor sees them. */
import type { Section } from '../section.ts';

export const pricingPage = {
  pricingText: {
    table: 'pricing_texts',
    kind: 'singleton',
    title: 'Pricing text',
    about: 'The text around the packages.',
    api: { list: '/pricing-text', add: '/add-pricing-text', read: '/pricing-text/:id' },
    screen: { home: '/add-pricing/', edit: '/edit-pricing-text/:id' },
    fields: {
      pricingHeading: { label: 'Heading on the landing page' },
      pricingDetails: { label: 'Sentence below it', kind: 'text', optional: true },
      pricingLinkText: {
        label: 'Link text',
        optional: true,
        help: 'Leads from the landing page to the pricing page.',
      },
      pricingPageText: { label: 'Sentence on the pricing page', kind: 'text', optional: true },
      comparisonHeading: { label: 'Heading of the comparison', optional: true },
    },
  },

  comparisonRow: {
    table: 'comparison_rows',
    kind: 'list',
    title: 'Comparison row',
    about: 'The table that compares the packages.',
    api: { list: '/comparison-rows', add: '/add-comparison-row', read: '/comparison-row/:id' },
    screen: { home: '/add-pricing/', edit: '/edit-comparison/:id' },
    fields: {
      comparisonTitle: { label: 'Topic' },
      basicValue: {
        label: 'Basic',
        help: 'A few words or a number. Yes shows a check mark, No shows a dash.',
      },
      standardValue: { label: 'Standard' },
      premiumValue: { label: 'Premium' },
    },
  },

  step: {
    table: 'steps',
    kind: 'list',
    title: 'Step',
    about: 'How it works, on the pricing page.',
    api: { list: '/steps', add: '/add-step', read: '/step-item/:id' },
    screen: { home: '/step-section', edit: '/edit-step/:id', editLink: 'Edit Now' },
    alerts: { added: 'Item is Added', updated: 'Step Section is Updated' },
    titleField: 'stepTitle',
    numberField: 'stepNumber',
    fields: {
      stepNumber: { label: 'Number', help: 'From 01 to 04.' },
      stepTitle: { label: 'Title' },
      stepDetails: { label: 'Details', kind: 'text' },
    },
  },

  exampleText: {
    table: 'example_texts',
    kind: 'singleton',
    title: 'Worked example',
    about: 'Heading of the worked example on the pricing page.',
    api: { list: '/example-text', add: '/add-example-text', read: '/example-text/:id' },
    screen: { home: '/edit-example', edit: '/edit-example-text/:id' },
    fields: {
      exampleHeading: { label: 'Heading' },
      exampleDetails: { label: 'Details', kind: 'text' },
    },
  },

  exampleDay: {
    table: 'example_days',
    kind: 'list',
    title: 'Example day',
    about: 'The days of the worked example on the pricing page.',
    api: { list: '/example-days', add: '/add-example-day', read: '/example-day/:id' },
    screen: { home: '/edit-example', edit: '/edit-example-day/:id' },
    titleField: 'dayTitle',
    fields: {
      dayDate: { label: 'Date', help: 'As visitors read it, such as March 3.' },
      dayTitle: { label: 'Title' },
      dayDetails: { label: 'Details', kind: 'text' },
    },
  },

  testimonialText: {
    table: 'testimonial_texts',
    kind: 'singleton',
    title: 'Testimonial',
    about: 'Heading of the testimonials on the pricing page.',
    api: { list: '/testimonialtext', add: '/add-testimonial-text', read: '/testimonialtext/:id' },
    screen: {
      home: '/edit-testimonial/',
      place: 7,
      edit: '/testimonialtext-edit/:id',
      editLink: 'Edit Testimonial Section',
    },
    titleField: 'testimonialHeading',
    fields: {
      testimonialText: { label: 'Small text above the heading' },
      testimonialHeading: { label: 'Heading' },
    },
  },

  testimonial: {
    table: 'testimonials',
    kind: 'list',
    title: 'Testimonial item',
    about: 'What customers say, on the pricing page.',
    api: { list: '/testimonials', add: '/add-testimonial', read: '/testimonial/:id' },
    screen: { home: '/edit-testimonial/', edit: '/edit-testimonial/:id/', editLink: 'Edit testimonial' },
    titleField: 'personName',
    fields: {
      image: { label: 'Picture', kind: 'image' },
      personName: { label: 'Name' },
      personTitle: { label: 'Job title' },
      desc: { label: 'Quote', kind: 'text' },
    },
  },

  faqText: {
    table: 'faq_texts',
    kind: 'singleton',
    title: 'FAQ',
    about: 'Heading of the questions on the pricing page.',
    api: { list: '/faq', add: '/add-faq', read: '/faq/:id' },
    screen: { home: '/edit-faq', edit: '/faqtext-edit/:id', editLink: 'Edit FAQ Section' },
    titleField: 'faqHeading',
    fields: {
      faqText: { label: 'Small text above the heading' },
      faqHeading: { label: 'Heading' },
    },
  },

  faqItem: {
    table: 'faq_items',
    kind: 'list',
    title: 'FAQ item',
    about: 'Questions and answers on the pricing page.',
    api: { list: '/faq-items', add: '/add-faq-item', read: '/faq-item/:id' },
    screen: { home: '/edit-faq', edit: '/faq-edit/:id' },
    alerts: { added: 'FAQ Item is Added', updated: 'FAQ Item is Updated' },
    fields: {
      accodingTitle: { label: 'Question' },
      accodingText: { label: 'Answer', kind: 'text' },
    },
  },
} as const satisfies Record<string, Section>;
