import type { Section } from '../section.ts';

export const contactPage = {
  contactDetail: {
    table: 'contact_details',
    kind: 'list',
    title: 'Contact detail',
    about: 'Ways to reach you, on the contact page.',
    api: { list: '/contacts', add: '/add-contact', read: '/contacts/:id' },
    screen: { home: '/add-contact/', edit: '/edit-contact-page/:id', editLink: 'Edit contact' },
    alerts: { added: 'Contcat Section is Updated', updated: 'Contcat Section is Updated' },
    titleField: 'contactTitle',
    fields: {
      contactImg: { label: 'Picture', kind: 'image' },
      contactTitle: { label: 'Title' },
      contactDetails: { label: 'Details', kind: 'text' },
    },
  },
} as const satisfies Record<string, Section>;
