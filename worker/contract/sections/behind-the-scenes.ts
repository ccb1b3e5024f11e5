/** What administrators keep beside the pages. */
import type { Section } from '../section.ts';

export const behindTheScenes = {
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
