/**
 * Saves answers while they are typed. Answers that have not changed for a moment are sent to the server, one request at
 * a time. Failed answers are sent again with the next request. An answer that the server rejects does not block the
 * others. Answers saved in another tab appear here, so that neither tab overwrites the other.
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

export type SavedAnswers = ReturnType<typeof useSavedAnswers>;

interface Failure {
  readonly error: CallError | undefined;
  /** The questions whose answers are not saved because of the error. */
  readonly unsaved: readonly string[];
}

const noFailure: Failure = { error: undefined, unsaved: [] };

const problemsOf = (answers: Answers): FieldErrors =>
  Object.fromEntries(
    Object.entries(answers).flatMap(([question, answer]) => {
      const problem = answerProblem(answer);
      return problem === undefined ? [] : [[question, problem]];
    }),
  );

/** Merges answers that were saved here or in another tab with text that is still being typed here. */
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

/** Saves when typing pauses, when the page is hidden or shown again, and when the connection returns. */
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

/** The answers that the server does not have yet. */
function useUnsaved() {
  const [isSaved, setIsSaved] = useState(true);
  const unsaved = useRef(new Map<string, string>());
  const changes = useRef(0);
  const sendable = () => [...unsaved.current].filter(([, answer]) => answerProblem(answer) === undefined);
  return {
    isSaved,
    sendable,
    has: (question: string) => unsaved.current.has(question),
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

export function useSavedAnswers(orderId: string, { questions }: Brief) {
  const [answers, setAnswers] = useState<Answers>(() =>
    Object.fromEntries(questions.map(({ _id, answer }) => [_id, answer])),
  );
  const [failed, setFailed] = useState(noFailure);
  /** The answers that the server has rejected. They are not sent again until they change. */
  const [refused, setRefused] = useState<FieldErrors>({});
  const unsaved = useUnsaved();
  const flight = useRef<Promise<void>>(undefined);
  const takeOver = (brief: Brief) => setAnswers((current) => withSaved(current, brief, unsaved.has));

  /** Saves all valid answers. @throws CallError */
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
      setFailed(noFailure);
    } catch (thrown) {
      setFailed({ error: callErrorOf(thrown), unsaved: unsaved.sendable().map(([question]) => question) });
    }
  }
  const save = () =>
    (flight.current ??= saveAll().finally(() => {
      flight.current = undefined;
    }));

  useRested(answers, save);
  async function readOtherTabs(): Promise<void> {
    await save();
    const before = unsaved.countChanges();
    const { data: brief } = await api('GET /order/:id/brief', { id: orderId });
    if (unsaved.countChanges() === before) takeOver(brief);
  }
  // Without a connection, the answers stay as they are.
  useRefetchOnFocus(() => void readOtherTabs().catch(() => undefined));

  return {
    /** The typed answers by question id. */
    answers,
    change: (question: string, answer: string) => {
      unsaved.add(question, answer);
      setRefused((known) => Object.fromEntries(Object.entries(known).filter(([id]) => id !== question)));
      setAnswers((current) => ({ ...current, [question]: answer }));
    },
    /** Whether everything typed is saved, except for invalid answers. */
    isSaved: unsaved.isSaved,
    ...failed,
    /** The errors of individual answers, by question id. */
    errors: { ...refused, ...problemsOf(answers) },
    save,
    /** Sends the brief with all unsaved answers. @throws CallError */
    send: async () => {
      await save();
      await putBrief(orderId, unsaved.sendable(), 'sent');
    },
  };
}
