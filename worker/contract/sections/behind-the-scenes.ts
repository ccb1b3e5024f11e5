/** Content that is not a section of one page: pictures, business details, redirects and design items. */
import { focusPositions } from '../media.ts';
import type { Section } from '../section.ts';

export const behindTheScenes = {
  media: {
    table: 'media',
    kind: 'list',
    title: 'Picture',
    about:
      'The library: every uploaded picture, what it shows, and which part stays in view when a page crops it.',
    api: { list: '/media', read: '/media/:id' },
    screen: { home: '/edit-media', edit: '/edit-media/:id' },
    read: 'content',
    fields: {
      name: { label: 'File', fixed: true },
      alt: {
        label: 'Description',
        optional: true,
        help: 'What the picture shows, for people who cannot see it. Leave it empty if the text beside it says the same.',
      },
      focus: {
        label: 'Focus',
        kind: 'choice',
        options: focusPositions,
        default: 'center',
        help: 'The part that stays in view when a page crops the picture.',
      },
      path: { label: 'Path', kind: 'image', fixed: true },
      type: { label: 'Type', fixed: true },
      width: { label: 'Width in pixels', fixed: true, optional: true },
      height: { label: 'Height in pixels', fixed: true, optional: true },
      bytes: { label: 'Size in bytes', fixed: true },
    },
  },

  businessDetails: {
    table: 'business_details',
    kind: 'singleton',
    title: 'Business details',
    about: 'Your business, as shown on receipts, credit notes and the payment page.',
    api: { list: '/business-details', add: '/add-business-details', read: '/business-details/:id' },
    screen: { home: '/edit-business-details', edit: '/edit-business-details/:id' },
    read: 'content',
    shown: false,
    fields: {
      legalName: { label: 'Legal name', help: 'The name under which the business is registered.' },
      postalAddress: {
        label: 'Address',
        kind: 'text',
        help: 'Street, city, state, ZIP code and country.',
      },
      phone: {
        label: 'Phone',
        optional: true,
        help: 'Shown beside the pay button, where customers look if they have a question.',
      },
      taxNumber: {
        label: 'Tax number',
        optional: true,
        help: 'Include its name, such as EIN 12-3456789 or VAT DE123456789.',
      },
      registration: {
        label: 'Registration',
        optional: true,
        help: 'Where the business is registered, and under which number, if your law requires it on receipts.',
      },
      billingEmail: {
        label: 'Email for questions about receipts',
        optional: true,
      },
      receiptNote: {
        label: 'Note on every receipt',
        kind: 'text',
        optional: true,
        help: 'For example, why you charge no sales tax. Receipts show it below the total.',
      },
    },
  },

  redirect: {
    table: 'redirects',
    kind: 'list',
    title: 'Redirect',
    about: 'Old addresses and their targets, so that old links and search results still work.',
    api: { list: '/redirects', add: '/add-redirect', read: '/redirect/:id' },
    screen: { home: '/edit-redirects', edit: '/edit-redirect/:id' },
    fields: {
      from: {
        label: 'From',
        kind: 'path',
        unique: true,
        help: 'A path on this site that is no longer a page, such as /old-page. An old address with a query, such as /?p=12, works too.',
      },
      to: {
        label: 'To',
        kind: 'link',
        help: 'A page of this site, such as /pricing/, or an https:// address.',
      },
    },
  },

  designItem: {
    table: 'design_items',
    kind: 'list',
    title: 'Design item',
    about: 'Social media templates that you keep for your customers.',
    api: { list: '/items', add: '/add-item', read: '/item/:id', update: '/update-item/:id' },
    screen: { home: '/add-item', edit: '/edit-item/:id', headings: { add: 'Update Banner' } },
    alerts: { added: 'Item is Updated', updated: 'Item is Updated' },
    read: 'content',
    shown: false,
    titleField: 'category',
    fields: {
      format: {
        label: 'Format',
        kind: 'choice',
        options: ['Facebook', 'Instagram', 'Youtube'],
        default: 'Facebook',
      },
      canvaLink: { label: 'Canva link', kind: 'link' },
      imageLink: { label: 'Picture', kind: 'image' },
      category: { label: 'Category' },
      freeOrPaid: { label: 'Free or paid', kind: 'choice', options: ['Paid', 'Free'], default: 'Paid' },
    },
  },
} as const satisfies Record<string, Section>;
