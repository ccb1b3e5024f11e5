/** A form that adds a record and is then cleared. */
import { refetchScreen } from '#site/app/query.ts';
import type { Values } from '../content-calls.ts';
import { markSent } from './form-store.ts';
import { differs, useDraft } from './use-draft.ts';
import type { VersionedDraftOptions } from './use-versioned-draft.ts';

interface AddFormOptions extends Pick<VersionedDraftOptions, 'form' | 'title' | 'check'> {
  /** The initial values of the fields. */
  readonly blank: Values;
  readonly add: (values: Values) => Promise<unknown>;
  /** Called after a record was added. */
  readonly onAdded: () => void;
}

export function useAddForm({ form, title, blank, check, add, onAdded }: AddFormOptions) {
  const draft = useDraft(blank, check, title);
  /** Sends the values elsewhere, such as to a release, and clears the form. */
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
      onAdded();
    });
  return {
    form: { draft, isDirty: differs(draft.values, blank), saveLabel: 'Add', onSubmit },
    sendElsewhere,
  };
}
