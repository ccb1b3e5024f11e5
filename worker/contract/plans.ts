/** Words and rules of the brief and the plan. The schemas of their calls are in `plans.calls.ts`. */
import { parseUrl } from './parse-url.ts';
import type { FieldErrors } from './problem.ts';

/** The kinds of answers to a brief question: one line, several lines, a web address, or one of several choices. */
export const questionKinds = ['line', 'text', 'link', 'choice'] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** `open`: the customer can still answer. */
export const briefStatuses = ['open', 'sent'] as const;

/** `waiting`: we marked the step as done, and the customer has not approved it yet. */
export const stepStates = ['open', 'waiting', 'done'] as const;

/** The maximum length of a note and of a request for changes, in characters. */
export const maxNoteLength = 2_000;

/** The maximum length of an answer, in characters. */
export const maxAnswerLength = 5_000;

/** Adds `https://` to an address without a scheme. Empty text stays empty. */
export const withScheme = (text: string): string =>
  text === '' || /^https?:\/\//i.test(text) ? text : `https://${text}`;

export const webAddressText = 'Please enter a web address, such as lopezlending.com.';

/**
 * The web address for a typed `lopezlending.com` or `https://lopezlending.com/`; undefined if a browser must not follow
 * it.
 */
export function webAddressOf(typed: string): string | undefined {
  const text = typed.trim();
  const address = withScheme(text);
  if (/[\s\\\p{Cc}@]/u.test(text) || !parseUrl(address)) return undefined;
  const { hostname, href } = new URL(address);
  return /^[^.].*\.[^.]{2,}$/.test(hostname) ? href : undefined;
}

/** Why an answer cannot be saved, not even as a draft; undefined if it can. */
export const answerProblem = (answer: string): string | undefined =>
  answer.length > maxAnswerLength
    ? `Please shorten this answer: it has ${answer.length.toLocaleString('en-US')} characters, and at most ${maxAnswerLength.toLocaleString('en-US')} can be saved.`
    : undefined;

interface AnsweredQuestion {
  readonly _id: string;
  readonly kind: QuestionKind;
  readonly choices: readonly string[];
  readonly isRequired: boolean;
  readonly answer: string;
}

/** What keeps a brief from being sent: a sentence for each question with an invalid answer, by the question's id. */
export function briefProblems(questions: readonly AnsweredQuestion[]): FieldErrors {
  const problemOf = ({ kind, choices, isRequired, answer }: AnsweredQuestion): string | undefined => {
    const tooLong = answerProblem(answer);
    if (tooLong !== undefined) return tooLong;
    const text = answer.trim();
    if (text === '') return isRequired ? 'Please answer this question.' : undefined;
    if (kind === 'link' && webAddressOf(text) === undefined) return webAddressText;
    if (kind === 'choice' && !choices.includes(text)) return 'Please choose one of the answers.';
    return undefined;
  };
  return Object.fromEntries(
    questions.flatMap((question) => {
      const problem = problemOf(question);
      return problem === undefined ? [] : [[question._id, problem]];
    }),
  );
}
