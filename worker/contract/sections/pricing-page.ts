/** Sections of the pricing page, in the order in which a visitor meets them after the packages. */
import type { Section } from '../section.ts';

export const pricingPage = {
  step: {
    table: 'steps',
    kind: 'list',
    title: 'Step',
    about: 'How it works, on the pricing page.',
    api: { list: '/steps', add: '/add-step', read: '/step-item/:id', update: '/step-item/:id' },
    screen: { home: '/step-section', edit: '/edit-step/:id', editLink: 'Edit Now' },
    alerts: { added: 'Item is Added', updated: 'Step Section is Updated' },
    titleField: 'stepTitle',
    numberField: 'stepNumber',
    fields: {
      stepNumber: { label: 'Number', help: '01 to 04.' },
      stepTitle: { label: 'Title' },
      stepDetails: { label: 'Details', kind: 'text' },
    },
  },

  testimonialText: {
    table: 'testimonial_texts',
    kind: 'singleton',
    title: 'Testimonial',
    about: 'Heading of the testimonials on the pricing page.',
    api: {
      list: '/testimonialtext',
      add: '/add-testimonial-text',
      read: '/testimonialtext/:id',
      update: '/testimonialtext/:id',
    },
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
    title: 'Testimonial Item',
    about: 'What customers say, on the pricing page.',
    api: {
      list: '/testimonials',
      add: '/add-testimonial',
      read: '/testimonial/:id',
      update: '/testimonial/:id',
    },
    screen: { home: '/edit-testimonial/', edit: '/edit-testimonial/:id/', editLink: 'Edit Testimonial' },
    titleField: 'personName',
    fields: {
      image: { label: 'Picture', kind: 'image' },
      personName: { label: 'Name' },
      personTitle: { label: 'Job title' },
      desc: { label: 'What they say', kind: 'text' },
    },
  },

  faqText: {
    table: 'faq_texts',
    kind: 'singleton',
    title: 'FAQ',
    about: 'Heading of the questions on the pricing page.',
    api: { list: '/faq', add: '/add-faq', read: '/faq/:id', update: '/faq/:id' },
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
    title: 'FAQ Item',
    about: 'Questions and answers on the pricing page.',
    api: { list: '/faq-items', add: '/add-faq-item', read: '/faq-item/:id', update: '/faq-item/:id' },
    screen: { home: '/edit-faq', edit: '/faq-edit/:id', editLink: 'Edit FAQ Item' },
    alerts: { added: 'FAQ Item is Added' },
    fields: {
      accodingTitle: { label: 'Question' },
      accodingText: { label: 'Answer', kind: 'text' },
    },
  },
} as const satisfies Record<string, Section>;
