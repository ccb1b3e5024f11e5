/** A form that adds a record: what is typed into it, and empty again once that is added. */
import { useToast } from '#site/ui/toast.tsx';
import { refetchScreen } from '#site/app/query.ts';
import type { FieldErrors } from '#contract/problem.ts';
import type { Values } from '../content-calls.ts';
import { markSent } from './form-store.ts';
import type { FormKey } from './server-drafts.ts';
import { differs, useDraft } from './use-draft.ts';

export interface AddFormOptions {
  /** Where what is typed is kept when the form is left. */
  readonly form?: FormKey;
  /** What is added, for who has left the form when they are told that it was not saved. */
  readonly title?: string;
  /** The fields as they stand before anybody types. */
  readonly blank: Values;
  readonly check: (values: Values) => FieldErrors;
  readonly add: (values: Values) => Promise<unknown>;
  /** The toast for a confirmed addition. */
  readonly done: string;
}

export function useAddForm({ form, title, blank, check, add, done }: AddFormOptions) {
  const showToast = useToast();
  const draft = useDraft(blank, check, title);
  /** Hands what is typed to something else than the section; then the form is empty again. */
  const sendElsewhere = (send: (values: Values) => Promise<unknown>) =>
    draft.submit(async (values) => {
      await send(values);
      if (form) markSent(form, values);
      void refetchScreen();
      return blank;
    });
  const onSubmit = () =>
    sendElsewhere(async (values) => {
      await add(values);
      showToast(done);
    });
  return {
    form: { draft, isDirty: differs(draft.values, blank), saveLabel: 'Add', onSubmit },
    sendElsewhere,
  };
}
