/**
 * Answers that are saved while they are typed: those that have rested go to the server, one call at a time, and what
 * could not be saved stays and goes with the next try. One that the server does not take keeps no other from being saved.
 * What another tab has saved is shown here, so that neither writes over the other.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FieldErrors } from '#contract/problem.ts';
import { answerProblem } from '#contract/plans.ts';
import type { Brief } from '#contract/plans.calls.ts';
import { callErrorOf } from '#site/app/call-error.ts';
import { api, type CallError } from '#site/app/call.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { useDebouncedValue } from '#site/ui/use-debounced-value.ts';

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

/** What was saved, here or in another tab, but for what is typed here. */
const withSaved = (
  current: Answers,
  { questions }: Brief,
  isTyped: (question: string) => boolean,
): Answers => ({
  ...current,
  ...Object.fromEntries(questions.filter(({ _id }) => !isTyped(_id)).map(({ _id, answer }) => [_id, answer])),
});

const putBrief = (id: string, answers: Iterable<readonly [string, string]>, status?: 'sent') =>
  api('PUT /order/:id/brief', {
    id,
    body: { answers: Object.fromEntries(answers), ...(status && { status }) },
  });

/** Saves once nothing was typed for a moment, when the page is left or comes back, and when the connection does. */
function useRested(answers: Answers, save: () => Promise<void>): void {
  const rested = useDebouncedValue(answers);
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

/** Reads the answers when somebody returns to this tab. Without a connection they stay as they are. */
const useOtherTabs = (read: () => Promise<void>) =>
  useRefetchOnFocus(() => void read().catch(() => undefined));

/** What the server does not have yet. */
function useUnsaved() {
  const [isSaved, setIsSaved] = useState(true);
  const unsaved = useRef(new Map<string, string>());
  const changes = useRef(0);
  const sendable = () => [...unsaved.current].filter(([, answer]) => answerProblem(answer) === undefined);
  return {
    isSaved,
    sendable,
    has: (question: string) => unsaved.current.has(question),
    /** How often something was typed. */
    countChanges: () => changes.current,
    add(question: string, answer: string) {
      unsaved.current.set(question, answer);
      changes.current += 1;
      setIsSaved(sendable().length === 0);
    },
    settle(taken: Iterable<readonly [string, string]>) {
      for (const [question, answer] of taken)
        if (unsaved.current.get(question) === answer) unsaved.current.delete(question);
      setIsSaved(sendable().length === 0);
    },
  };
}

export function useSavedAnswers(orderId: string, { questions }: Brief): SavedAnswers {
  const [answers, setAnswers] = useState<Answers>(() =>
    Object.fromEntries(questions.map(({ _id, answer }) => [_id, answer])),
  );
  const [error, setError] = useState<CallError>();
  /** What the server did not take; it is not tried again until it is typed anew. */
  const [refused, setRefused] = useState<FieldErrors>({});
  const unsaved = useUnsaved();
  const flight = useRef<Promise<void>>(undefined);
  const takeOver = (brief: Brief) => setAnswers((current) => withSaved(current, brief, unsaved.has));

  /** Keeps what can be kept. @throws CallError */
  async function keep(): Promise<void> {
    const taken = unsaved.sendable();
    let kept: Brief | undefined;
    try {
      kept = (await putBrief(orderId, taken)).data;
    } catch (thrown) {
      const failed = callErrorOf(thrown);
      if (!taken.some(([question]) => question in failed.fieldErrors)) throw failed;
      setRefused((known) => ({ ...known, ...failed.fieldErrors }));
    }
    unsaved.settle(taken);
    if (kept) takeOver(kept);
  }

  async function saveAll(): Promise<void> {
    try {
      while (unsaved.sendable().length > 0) await keep();
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
  useOtherTabs(async () => {
    await save();
    const before = unsaved.countChanges();
    const { data: brief } = await api('GET /order/:id/brief', { id: orderId });
    if (unsaved.countChanges() === before) takeOver(brief);
  });

  return {
    answers,
    change(question, answer) {
      unsaved.add(question, answer);
      setRefused((known) => Object.fromEntries(Object.entries(known).filter(([id]) => id !== question)));
      setAnswers((current) => ({ ...current, [question]: answer }));
    },
    isSaved: unsaved.isSaved,
    error,
    errors: { ...refused, ...problemsOf(answers) },
    save,
    async send() {
      await save();
      await putBrief(orderId, unsaved.sendable(), 'sent');
    },
  };
}
