/** Articles, case studies and separate pages, and the texts at the top of their list. */
import type { Section } from '../section.ts';

/** The kinds of articles. A `page` has a top-level address and does not appear in lists. */
const articleKinds = ['guide', 'case study', 'page'] as const;

export const articles = {
  article: {
    table: 'articles',
    kind: 'list',
    title: 'Article',
    about: 'Guides and case studies in the articles list, and pages of their own.',
    api: { list: '/articles', add: '/add-article', read: '/article/:id' },
    screen: { home: '/edit-articles', edit: '/edit-article/:id' },
    newestBy: 'publishedOn',
    fields: {
      title: { label: 'Title', maxLength: 150 },
      slug: {
        label: 'Address',
        kind: 'slug',
        optional: true,
        unique: true,
        maxLength: 80,
        filledIn: true,
        help: 'The last part of the web address. Leave it empty to make it from the title. If you change it, the old address redirects to the new one.',
      },
      kind: {
        label: 'Kind',
        kind: 'choice',
        options: articleKinds,
        optionTitles: { guide: 'Guide', 'case study': 'Case study', page: 'Page' },
        default: 'guide',
        help: 'A page has a short address, such as /about-us, and is not in the articles list.',
      },
      summary: {
        label: 'Summary',
        kind: 'text',
        maxLength: 300,
        help: 'One or two sentences that lists and search engines show.',
      },
      cover: {
        label: 'Cover picture',
        kind: 'image',
        optional: true,
        help: 'Shown above the text, in lists and in shared links. 1200 by 630 pixels works best. Shared links cannot show an SVG: they show the picture of the site instead.',
      },
      text: {
        label: 'Text',
        kind: 'markdown',
        maxLength: 50_000,
        long: true,
        help: 'Put a blank line between paragraphs. Start a heading with ## and a list item with -. Write **bold** and [link text](/contact).',
      },
      author: { label: 'Author', optional: true },
      publishedOn: {
        label: 'Published on',
        kind: 'day',
        optional: true,
        filledIn: true,
        help: 'Leave it empty to use the day it goes live. For a day in the future, add the article to a release and schedule that.',
      },
      revisedOn: {
        label: 'Revised on',
        kind: 'day',
        optional: true,
        help: 'The day of the last change that readers should know about.',
      },
      tags: { label: 'Tags', kind: 'tags', optional: true, help: 'Up to 8 topics, separated by commas.' },
    },
  },

  articlesText: {
    table: 'articles_texts',
    kind: 'singleton',
    title: 'Articles list',
    about:
      'The text at the top of the articles list. Once you fill it in, the menu links to the list, and the landing page can show the newest three.',
    api: { list: '/articles-text', add: '/add-articles-text', read: '/articles-text/:id' },
    screen: { home: '/edit-articles-text', edit: '/edit-articles-text/:id' },
    fields: {
      articlesHeading: { label: 'Heading' },
      articlesIntro: { label: 'Introduction', kind: 'text', maxLength: 300 },
      onLanding: {
        label: 'Newest three on the landing page',
        kind: 'choice',
        options: ['no', 'yes'],
        optionTitles: { no: 'Do not show them', yes: 'Show them' },
        default: 'no',
      },
    },
  },
} as const satisfies Record<string, Section>;
