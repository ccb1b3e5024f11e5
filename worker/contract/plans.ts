/** The work after the sale as browser and server agree on it. What calls take and answer is in `work.calls.ts`. */
import { parseUrl } from './parse-url.ts';
import type { FieldErrors } from './problem.ts';

/** How a question of the brief is answered: one line, several lines, a web address, one of several choices. */
export const questionKinds = ['line', 'text', 'link', 'choice'] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** `open`: the customer is answering. */
export const briefStatuses = ['open', 'sent'] as const;

/** `waiting`: we have ticked it off, and its customer has yet to approve it. */
export const stepStates = ['open', 'waiting', 'done'] as const;

/** Longest note to a step, and longest request to change it, in characters. */
export const maxNoteLength = 2_000;

/** Longest answer, in characters. */
export const maxAnswerLength = 5_000;

/** `https://agency.com` for `agency.com`; an address that has its scheme, or nothing, stays as it is. */
export const withScheme = (text: string): string =>
  text === '' || /^https?:\/\//i.test(text) ? text : `https://${text}`;

export const webAddressText = 'Please type a web address, such as lopezlending.com.';

/**
 * The web address meant by `lopezlending.com` or by the whole `https://lopezlending.com/`; undefined if it is not one
 * that a browser may follow.
 */
export function webAddressOf(typed: string): string | undefined {
  const text = typed.trim();
  const address = withScheme(text);
  if (/[\s\\\p{Cc}@]/u.test(text) || !parseUrl(address)) return undefined;
  const { hostname, href } = new URL(address);
  return /^[^.].*\.[^.]{2,}$/.test(hostname) ? href : undefined;
}

/** Why an answer cannot be stored, even as an unfinished one; undefined when it can. */
export const answerProblem = (answer: string): string | undefined =>
  answer.length > maxAnswerLength
    ? `Please shorten this answer: it has ${answer.length.toLocaleString('en-US')} characters, and at most ${maxAnswerLength.toLocaleString('en-US')} can be saved.`
    : undefined;

/** A question of a brief with its answer. */
interface AnsweredQuestion {
  readonly _id: string;
  readonly kind: QuestionKind;
  readonly choices: readonly string[];
  readonly isRequired: boolean;
  readonly answer: string;
}

/** What keeps a brief from being sent: a sentence for each question whose answer does not hold. */
export function briefProblems(questions: readonly AnsweredQuestion[]): FieldErrors {
  const problemOf = ({ kind, choices, isRequired, answer }: AnsweredQuestion): string | undefined => {
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
