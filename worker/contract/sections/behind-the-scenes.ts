/** Records that administrators keep beside the pages: the payment key, admin users and design items. */
import type { Section } from '../section.ts';

export const behindTheScenes = {
  paymentKey: {
    table: 'stripe_keys',
    kind: 'singleton',
    title: 'Payment key',
    about: 'The publishable key with which the payment page reaches Stripe.',
    api: { list: '/stripe-keys', add: '/add-stripe-key', read: '/stripe-key/:id', update: '/stripe-key/:id' },
    screen: { home: '/add-paypal-Email', edit: '/stripe-key/:id', editLink: 'Edit Payment Key' },
    alerts: { added: 'Stripe Key Updated', updated: 'Stripe Key Updated' },
    shown: false,
    fields: {
      stripeKey: {
        label: 'Publishable key',
        kind: 'publishableKey',
        help: 'Begins with pk_test_ or pk_live_. The secret key is a setting of the Worker and never typed here.',
      },
    },
  },

  adminUser: {
    table: 'users',
    kind: 'list',
    title: 'User',
    about: 'Who may use these screens.',
    api: { list: '/users', add: '/add-user', read: '/users/:id', update: '/upadete-users/:id' },
    screen: { home: '/add-user', edit: '/admin-user/:id', editLink: 'Update User' },
    alerts: { added: 'User Is Added', updated: 'User is Updated' },
    read: 'own',
    shown: false,
    fields: {
      userEmail: { label: 'Email', kind: 'email', unique: true },
      userRole: { label: 'Role', kind: 'choice', options: ['Admin', 'User'], default: 'Admin' },
    },
  },

  designItem: {
    table: 'design_items',
    kind: 'list',
    title: 'Design item',
    about: 'Templates for social networks that the firm keeps for its customers.',
    api: { list: '/items', add: '/add-item', read: '/item/:id', update: '/update-item/:id' },
    screen: {
      home: '/add-item',
      edit: '/edit-item/:id',
      editLink: 'Edit Design Item',
      headings: { add: 'Update Banner' },
    },
    alerts: { added: 'Item is Updated', updated: 'Item is Updated' },
    read: 'administrator',
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
      imageLink: { label: 'Image', kind: 'image' },
      category: { label: 'Category' },
      freeOrPaid: { label: 'Free or paid', kind: 'choice', options: ['Paid', 'Free'], default: 'Paid' },
    },
  },
} as const satisfies Record<string, Section>;
