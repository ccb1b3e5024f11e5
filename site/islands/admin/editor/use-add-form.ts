/** A form that adds a record: what is typed into it, and empty again once that is added. */
import { useToast } from '#components/toast.tsx';
import type { FieldErrors } from '#contract/problem.ts';
import type { Values } from '../content-calls.ts';
import { differs, useDraft } from './use-draft.ts';

export interface AddFormOptions {
  /** The fields as they stand before anybody types. */
  readonly blank: Values;
  readonly check: (values: Values) => FieldErrors;
  readonly add: (values: Values) => Promise<unknown>;
  /** The toast for a confirmed addition. */
  readonly done: string;
  readonly onAdded: () => void;
}

export function useAddForm({ blank, check, add, done, onAdded }: AddFormOptions) {
  const showToast = useToast();
  const draft = useDraft(blank, check);
  /** Hands what is typed to something else than the section; then the form is empty again. */
  const sendElsewhere = (send: (values: Values) => Promise<unknown>) =>
    draft.submit(async (values) => {
      await send(values);
      return blank;
    });
  const onSubmit = () =>
    sendElsewhere(async (values) => {
      await add(values);
      showToast(done);
      onAdded();
    });
  return {
    form: { draft, isDirty: differs(draft.values, blank), saveLabel: 'Add', onSubmit },
    sendElsewhere,
  };
}
