/**
 * Sections on every page (brand, logo, footer, copyright, search texts), and the business pages that every page links
 * to.
 */
import type { Section } from '../section.ts';

export const everyPage = {
  brand: {
    table: 'brands',
    kind: 'fixed',
    title: 'Brand',
    plural: 'Brand',
    about:
      'Your name, color, icon and logo, on every page, screen, email and receipt. The logo for light pages is in the Logo section.',
    api: { list: '/brand', read: '/brand/:id' },
    screen: { home: '/edit-brand', edit: '/edit-brand/:id' },
    fields: {
      name: {
        label: 'Name',
        maxLength: 60,
        help: 'Emails come from this name. Write {name} in any text of the site to show it there.',
      },
      accentColor: {
        label: 'Accent color',
        kind: 'color',
        help: 'The color of buttons, links and highlights. Dark mode shows a lighter tone of it.',
      },
      logoDark: {
        label: 'Logo for dark mode',
        kind: 'image',
        optional: true,
        backgrounds: ['dark'],
        help: 'Shown to people who use dark mode. Without it, they see the logo from the Logo section.',
      },
      icon: {
        label: 'Icon',
        kind: 'image',
        optional: true,
        use: 'icon',
        help: 'A square PNG, JPEG or WebP of at least 180 pixels, for browser tabs and home screens. Without it, the first letter of the name is shown.',
      },
      sharedPicture: {
        label: 'Picture in shared links',
        kind: 'image',
        optional: true,
        use: 'shared',
        help: 'A photo or PNG of 1200 by 630 pixels. If a page has a picture in its search text, links to it show that one instead.',
      },
    },
  },

  logo: {
    table: 'logos',
    kind: 'singleton',
    title: 'Logo',
    about: 'The logo in the header of every page.',
    api: { list: '/logo', add: '/add-logo', read: '/logo/:id' },
    screen: { home: '/add-logo', place: 2, edit: '/edit-logo/:id' },
    alerts: { added: 'Logo is Updated', updated: 'Logo is Updated' },
    fields: { logo: { label: 'Logo picture', kind: 'image', backgrounds: ['light', 'dark'] } },
  },

  footerAddress: {
    table: 'footer_addresses',
    kind: 'singleton',
    title: 'Footer address',
    about: 'Phone, email and address in the footer of every page.',
    api: { list: '/footer-address', add: '/add-footer-address', read: '/footer-address/:id' },
    screen: { home: '/add-address-footer/', place: 8, edit: '/edit-address-footer/:id' },
    alerts: { added: 'Footer Address is Updated', updated: 'Footer Address is Updated' },
    fields: {
      phoneNumber: { label: 'Phone' },
      emailAddress: { label: 'Email address' },
      location: { label: 'Location' },
    },
  },

  footerSocial: {
    table: 'footer_socials',
    kind: 'singleton',
    title: 'Footer social',
    about: 'Links to social networks in the footer of every page.',
    api: { list: '/footer-social', add: '/add-footer-social', read: '/footer-social/:id' },
    screen: {
      home: '/add-social-footer/',
      place: 9,
      edit: '/edit-social-footer/:id',
      editLink: 'Edit social links',
    },
    alerts: { added: 'Social Link is Updated', updated: 'Social Link is Updated' },
    fields: {
      aboutText: { label: 'Text above the links' },
      youlink: { label: 'YouTube link', kind: 'link' },
      fblink: { label: 'Facebook link', kind: 'link' },
      inslink: { label: 'Instagram link', kind: 'link' },
    },
  },

  copyright: {
    table: 'copyrights',
    kind: 'singleton',
    title: 'Copyright',
    about: 'The last line of every page.',
    api: { list: '/copyrights', add: '/add-footer-copyright', read: '/copyrights/:id' },
    screen: { home: '/add-copyright', place: 10, edit: '/edit-copyright/:id' },
    alerts: { added: 'Footer is Updated', updated: 'Footer Copy Right Updated' },
    fields: { copyrightText: { label: 'Copyright text' } },
  },

  footerAbout: {
    table: 'footer_abouts',
    kind: 'singleton',
    title: 'Footer about',
    about: 'A few words about your business in the footer of every page.',
    api: { list: '/footer-about', add: '/add-footer-about', read: '/footer-about/:id' },
    screen: { home: '/add-about-footer/', edit: '/edit-about-footer/:id' },
    alerts: { added: 'Footer About  is Updated', updated: 'Footer About  is Updated' },
    fields: {
      aboutFooterText: { label: 'Heading' },
      aboutFooterDetails: { label: 'Details', kind: 'text' },
    },
  },

  legalPage: {
    table: 'legal_pages',
    kind: 'fixed',
    title: 'Business page',
    about:
      'What your business promises its visitors: privacy, terms and refunds, linked at the bottom of every page.',
    api: { list: '/legal-pages', read: '/legal-page/:id' },
    screen: { home: '/edit-legal-pages', edit: '/edit-legal-page/:id' },
    fields: {
      title: { label: 'Title' },
      path: { label: 'Path', kind: 'choice', options: ['/privacy', '/terms', '/refunds'], unique: true },
      text: {
        label: 'Text',
        kind: 'markdown',
        maxLength: 50_000,
        help: 'Put a blank line between paragraphs. Start a heading with ## and a list item with -. Write **bold** and [link text](/contact).',
      },
      updated: { label: 'Last updated', help: 'The date that the page shows, such as November 21, 2026.' },
    },
  },

  searchText: {
    table: 'search_texts',
    kind: 'fixed',
    title: 'Search text',
    about: 'Title and description of each public page, as search engines and shared links show them.',
    api: { list: '/search-texts', read: '/search-text/:id' },
    screen: { home: '/edit-search-texts', edit: '/edit-search-text/:id' },
    fields: {
      page: {
        label: 'Page',
        kind: 'choice',
        options: ['/', '/pricing/', '/service/', '/contact'],
        optionTitles: {
          '/': 'Landing page',
          '/pricing/': 'Pricing page',
          '/service/': 'Service page',
          '/contact': 'Contact page',
        },
        unique: true,
      },
      pageTitle: { label: 'Title', help: 'Search engines show about 60 characters.' },
      pageDescription: {
        label: 'Description',
        kind: 'text',
        help: 'Search engines show about 155 characters.',
      },
      pageImage: {
        label: 'Picture in shared links',
        kind: 'image',
        optional: true,
        help: 'A photo or PNG of 1200 by 630 pixels. Pages without one use the picture of the brand, the landing page or the banner.',
      },
    },
  },
} as const satisfies Record<string, Section>;
