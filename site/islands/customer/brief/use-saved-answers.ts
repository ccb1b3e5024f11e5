/**
 * Answers that are saved while they are typed: those that have rested go to the server, one call at a time, and what
 * could not be saved stays and goes with the next try.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FieldErrors } from '#contract/problem.ts';
import type { Brief } from '#contract/work.ts';
import { callErrorOf } from '#site/islands/shared/call-error.ts';
import { makeCall, type CallError } from '#site/islands/shared/call.ts';
import { useSettled } from '#site/islands/shared/use-settled.ts';

type Answers = Readonly<Record<string, string>>;

export interface SavedAnswers {
  /** By the questions' ids, as typed. */
  readonly answers: Answers;
  readonly change: (question: string, answer: string) => void;
  /** Whether all that was typed is kept. */
  readonly isSaved: boolean;
  /** Why the last try to save failed. */
  readonly error: CallError | undefined;
  /** What is wrong with single answers. */
  readonly errors: FieldErrors;
  readonly save: () => Promise<void>;
  /** Sends the brief with what is not saved yet. @throws CallError */
  readonly send: () => Promise<Brief>;
}

export function useSavedAnswers(orderId: string, { questions }: Brief): SavedAnswers {
  const [answers, setAnswers] = useState<Answers>(() =>
    Object.fromEntries(questions.map(({ _id, answer }) => [_id, answer])),
  );
  const [isSaved, setIsSaved] = useState(true);
  const [error, setError] = useState<CallError>();
  /** What the server does not have yet. */
  const unsaved = useRef(new Map<string, string>());
  const flight = useRef<Promise<void>>(undefined);

  async function put(status?: 'sent'): Promise<Brief> {
    const taken = new Map(unsaved.current);
    const body = { answers: Object.fromEntries(taken), ...(status && { status }) };
    const { data } = await makeCall('PUT /order/:id/brief', { id: orderId, body });
    for (const [question, answer] of taken)
      if (unsaved.current.get(question) === answer) unsaved.current.delete(question);
    setIsSaved(unsaved.current.size === 0);
    return data;
  }

  async function saveAll(): Promise<void> {
    try {
      while (unsaved.current.size > 0) await put();
      setError(undefined);
    } catch (thrown) {
      setError(callErrorOf(thrown));
    }
  }
  const save = () =>
    (flight.current ??= saveAll().finally(() => {
      flight.current = undefined;
    }));

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

  return {
    answers,
    change(question, answer) {
      unsaved.current.set(question, answer);
      setIsSaved(false);
      setAnswers((current) => ({ ...current, [question]: answer }));
    },
    isSaved,
    error,
    errors: error?.fieldErrors ?? {},
    save,
    async send() {
      await flight.current;
      return put('sent');
    },
  };
}
