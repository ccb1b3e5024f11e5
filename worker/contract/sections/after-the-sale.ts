/** What an order begins with once it is bought: the questions that it asks, and the steps of the work. No page shows them. */
import { questionKinds } from '../plans.ts';
import type { Section } from '../section.ts';

const yesOrNo = ['yes', 'no'] as const;
const packagesHelp =
  'Names of packages with commas between, such as Basic, Standard. Leave it empty for all.';

export const afterTheSale = {
  briefQuestion: {
    table: 'brief_questions',
    kind: 'list',
    title: 'Brief question',
    about: 'What you ask a customer before the work on their order begins.',
    api: {
      list: '/brief-questions',
      add: '/add-brief-question',
      read: '/brief-question/:id',
      update: '/brief-question/:id',
    },
    screen: { home: '/edit-brief', edit: '/edit-brief/:id', editLink: 'Edit brief question' },
    read: 'content',
    shown: false,
    titleField: 'question',
    fields: {
      question: { label: 'Question', maxLength: 500 },
      help: {
        label: 'Help',
        kind: 'text',
        optional: true,
        help: 'A sentence below the question.',
      },
      kind: {
        label: 'Kind of answer',
        kind: 'choice',
        options: questionKinds,
        default: 'line',
        help: 'One line, several lines of text, a web address (link), or one of the choices below.',
      },
      choices: {
        label: 'Choices',
        kind: 'text',
        optional: true,
        help: 'One on each line. Without any, the answer is one line.',
      },
      required: {
        label: 'Must be answered',
        kind: 'choice',
        options: yesOrNo,
        default: 'yes',
        help: 'A brief can be sent once all of these are answered.',
      },
      packages: { label: 'Packages', kind: 'packages', optional: true, help: packagesHelp },
    },
  },

  planStep: {
    table: 'plan_steps',
    kind: 'list',
    title: 'Plan step',
    about:
      'The steps of your work. They are copied to each order when it is paid; orders that are under way keep theirs.',
    api: { list: '/plan-steps', add: '/add-plan-step', read: '/plan-step/:id', update: '/plan-step/:id' },
    screen: { home: '/edit-plan', edit: '/edit-plan/:id', editLink: 'Edit plan step' },
    read: 'content',
    shown: false,
    titleField: 'title',
    fields: {
      title: {
        label: 'Title',
        maxLength: 200,
        help: 'As the customer reads it, such as Draft of your loan pages.',
      },
      details: { label: 'Details', kind: 'text', optional: true, help: 'What you do, in a sentence or two.' },
      dueDays: { label: 'Due, in days after the payment', kind: 'days' },
      approval: {
        label: 'Wants approval',
        kind: 'choice',
        options: yesOrNo,
        default: 'no',
        help: 'If yes, we ask the customer to approve it or to say what should change.',
      },
      packages: { label: 'Packages', kind: 'packages', optional: true, help: packagesHelp },
    },
  },
} as const satisfies Record<string, Section>;
