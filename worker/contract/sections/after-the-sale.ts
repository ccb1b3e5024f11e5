/**
 * What each paid order starts with: the questions in the brief, and the steps of the plan. No public page shows them.
 */
import { questionKinds } from '../plans.ts';
import type { Section } from '../section.ts';

const yesOrNo = ['yes', 'no'] as const;
const packagesHelp =
  'Names of packages, separated by commas, such as Basic, Standard. Leave it empty for all packages.';

export const afterTheSale = {
  briefQuestion: {
    table: 'brief_questions',
    kind: 'list',
    title: 'Brief question',
    about: 'The questions that you ask customers before work on their orders begins.',
    api: { list: '/brief-questions', add: '/add-brief-question', read: '/brief-question/:id' },
    screen: { home: '/edit-brief', edit: '/edit-brief/:id' },
    read: 'content',
    shown: false,
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
        help: 'One choice per line. Without choices, the answer is one line of text.',
      },
      required: {
        label: 'Must be answered',
        kind: 'choice',
        options: yesOrNo,
        default: 'yes',
        help: 'Customers can send their answers only after they answer all of these questions.',
      },
      packages: { label: 'Packages', kind: 'packages', optional: true, help: packagesHelp },
    },
  },

  planStep: {
    table: 'plan_steps',
    kind: 'list',
    title: 'Plan step',
    about:
      'The steps of your work. Each order gets a copy when it is paid. Orders that are already paid keep their steps.',
    api: { list: '/plan-steps', add: '/add-plan-step', read: '/plan-step/:id' },
    screen: { home: '/edit-plan', edit: '/edit-plan/:id' },
    read: 'content',
    shown: false,
    fields: {
      title: {
        label: 'Title',
        maxLength: 200,
        help: 'The customer sees this title. For example: Draft of your loan pages.',
      },
      details: { label: 'Details', kind: 'text', optional: true, help: 'What you do, in a sentence or two.' },
      dueDays: { label: 'Due, in days after the payment', kind: 'days' },
      approval: {
        label: 'Needs approval',
        kind: 'choice',
        options: yesOrNo,
        default: 'no',
        help: 'If yes, we ask the customer to approve the step or to say what should change.',
      },
      packages: { label: 'Packages', kind: 'packages', optional: true, help: packagesHelp },
    },
  },
} as const satisfies Record<string, Section>;
