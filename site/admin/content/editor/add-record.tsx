/** The form that adds a record to a section. */
import { alertFor } from '#contract/section.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { useIdempotencyKey } from '#site/app/use-idempotency-key.ts';
import { focusHeading } from '#site/ui/focus-heading.ts';
import { addRecord, type Values } from '../content-calls.ts';
import { AddToRelease } from '../releases/add-to-release.tsx';
import { publish, showSaved } from '#site/admin/shell/publishing.tsx';
import { checkValues } from './check-values.ts';
import { DraftRecovery } from './draft-recovery.tsx';
import { RecordForm } from './record-form.tsx';
import { formHeading } from './section-texts.ts';
import { useTypedForm } from './form-store.ts';
import { changedFields } from './use-draft.ts';
import { useDraftId, useDraftRecovery } from './use-draft-recovery.ts';
import { useAddForm } from './use-add-form.ts';

interface AddRecordProps {
  readonly name: SectionName;
  /** Whether the form is the main purpose of the screen. */
  readonly isMain?: boolean;
}

export default function AddRecord({ name, isMain = false }: AddRecordProps) {
  const section = sectionNamed(name);
  const asked = Object.entries(section.fields).filter(([, field]) => field.editOnly !== true);
  const blank = Object.fromEntries(asked.map(([field, { default: start = '' }]) => [field, start]));
  const own = useDraftId({ section: name });
  const { keyFor, renew } = useIdempotencyKey(name);
  const { form, sendElsewhere } = useAddForm({
    form: { section: name },
    title: section.title,
    blank,
    check: (values) => checkValues(name, values),
    async add(values) {
      await publish(() => addRecord(name, values, own[0], keyFor(values)));
      renew();
    },
    onAdded: () => showSaved(alertFor(section, 'added')),
  });
  const { draft } = form;
  const changed = changedFields(draft.values, blank);
  const resumeDraft = (typed: Values) => draft.replace({ ...draft.values, ...typed });
  useTypedForm({ section: name, draftId: own[0], values: draft.values, changed }, resumeDraft);
  const offer = useDraftRecovery({
    section: name,
    base: blank,
    changed,
    own,
  });
  return (
    <RecordForm
      {...form}
      name={name}
      heading={formHeading(name, 'add')}
      fields={asked.map(([field]) => field)}
      isMain={isMain}
      actions={
        form.isDirty && (
          <AddToRelease
            change={{ section: name, action: 'add', values: form.draft.values, draftId: own[0] }}
            onSend={(send) =>
              sendElsewhere(async (values) => {
                await send(values);
                // The pressed button disappears with the cleared form, which may be long.
                focusHeading(draft.ref.current);
              })
            }
          />
        )
      }
    >
      <DraftRecovery offer={offer} onContinue={resumeDraft} />
    </RecordForm>
  );
}
