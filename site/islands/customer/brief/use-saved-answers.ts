/**
 * Answers that are saved while they are typed: those that have rested go to the server, one call at a time, and what
 * could not be saved stays and goes with the next try. One that the server does not take keeps no other from being saved.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FieldErrors } from '#contract/problem.ts';
import { answerProblem, type Brief } from '#contract/work.ts';
import { callErrorOf } from '#site/islands/shared/call-error.ts';
import { makeCall, type CallError } from '#site/islands/shared/call.ts';
import { useSettled } from '#site/islands/shared/use-settled.ts';

type Answers = Readonly<Record<string, string>>;

export interface SavedAnswers {
  /** By the questions' ids, as typed. */
  readonly answers: Answers;
  readonly change: (question: string, answer: string) => void;
  /** Whether all that was typed is kept, but for answers that something is wrong with. */
  readonly isSaved: boolean;
  /** Why the last try to save failed. */
  readonly error: CallError | undefined;
  /** What is wrong with single answers. */
  readonly errors: FieldErrors;
  readonly save: () => Promise<void>;
  /** Sends the brief with what is not saved yet. @throws CallError */
  readonly send: () => Promise<void>;
}

/** What keeps single answers from being saved. */
const problemsOf = (answers: Answers): FieldErrors =>
  Object.fromEntries(
    Object.entries(answers).flatMap(([question, answer]) => {
      const problem = answerProblem(answer);
      return problem === undefined ? [] : [[question, problem]];
    }),
  );

const putBrief = (id: string, answers: Iterable<readonly [string, string]>, status?: 'sent') =>
  makeCall('PUT /order/:id/brief', {
    id,
    body: { answers: Object.fromEntries(answers), ...(status && { status }) },
  });

/** Saves once nothing was typed for a moment, when the page is left or comes back, and when the connection does. */
function useRested(answers: Answers, save: () => Promise<void>): void {
  const rested = useSettled(answers);
  const onRest = useEffectEvent(save);
  useEffect(() => void onRest(), [rested]);
  useEffect(() => {
    const onAway = () => void onRest();
    document.addEventListener('visibilitychange', onAway);
    addEventListener('online', onAway);
    return () => {
      document.removeEventListener('visibilitychange', onAway);
      removeEventListener('online', onAway);
    };
  }, []);
}

export function useSavedAnswers(orderId: string, { questions }: Brief): SavedAnswers {
  const [answers, setAnswers] = useState<Answers>(() =>
    Object.fromEntries(questions.map(({ _id, answer }) => [_id, answer])),
  );
  const [isSaved, setIsSaved] = useState(true);
  const [error, setError] = useState<CallError>();
  /** What the server did not take; it is not tried again until it is typed anew. */
  const [refused, setRefused] = useState<FieldErrors>({});
  /** What the server does not have yet. */
  const unsaved = useRef(new Map<string, string>());
  const flight = useRef<Promise<void>>(undefined);

  const sendable = () => [...unsaved.current].filter(([, answer]) => answerProblem(answer) === undefined);
  const settle = (taken: Iterable<readonly [string, string]>) => {
    for (const [question, answer] of taken)
      if (unsaved.current.get(question) === answer) unsaved.current.delete(question);
    setIsSaved(sendable().length === 0);
  };

  /** Keeps what can be kept. @throws CallError */
  async function keep(): Promise<void> {
    const taken = sendable();
    try {
      await putBrief(orderId, taken);
    } catch (thrown) {
      const failed = callErrorOf(thrown);
      if (!taken.some(([question]) => question in failed.fieldErrors)) throw failed;
      setRefused((known) => ({ ...known, ...failed.fieldErrors }));
    }
    settle(taken);
  }

  async function saveAll(): Promise<void> {
    try {
      while (sendable().length > 0) await keep();
      setError(undefined);
    } catch (thrown) {
      setError(callErrorOf(thrown));
    }
  }
  const save = () =>
    (flight.current ??= saveAll().finally(() => {
      flight.current = undefined;
    }));

  useRested(answers, save);

  return {
    answers,
    change(question, answer) {
      unsaved.current.set(question, answer);
      setIsSaved(sendable().length === 0);
      setRefused((known) => Object.fromEntries(Object.entries(known).filter(([id]) => id !== question)));
      setAnswers((current) => ({ ...current, [question]: answer }));
    },
    isSaved,
    error,
    errors: { ...refused, ...problemsOf(answers) },
    save,
    async send() {
      await save();
      await putBrief(orderId, sendable(), 'sent');
    },
  };
}
