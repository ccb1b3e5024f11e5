/** The edit screen of a setting that is edited like content: a user of the admin panel or the payment key. */
import type { ReactNode } from 'react';
import type { FieldErrors } from '#contract/problem.ts';
import type { ContentRecord } from '#contract/section-calls.ts';
import { showToast } from '#site/app/toasts.tsx';
import { api, type ApiResponse } from '#site/app/call.ts';
import { useReadOnce } from '#site/app/query.ts';
import { versioned, type Values, type VersionedRecord } from '../content-calls.ts';
import { LoadedScreen } from '#site/admin/shell/screen.tsx';
import type { Home } from '../section-homes.ts';
import { ConflictPanel } from './conflict-panel.tsx';
import { DiscardButton, EditForm } from './edit-form.tsx';
import type { Labels } from './record-changes.ts';
import type { Draft } from './use-draft.ts';
import { useVersionedDraft } from './use-versioned-draft.ts';

/** The properties of a setting that the screen needs. */
export interface Setting {
  /** The prefix of the inputs' ids. */
  readonly name: string;
  readonly heading: string;
  readonly home: Home;
  /** The message if there is no record with this id. */
  readonly missing: string;
  readonly labels: Labels;
  /** The field that contains the name of the record. */
  readonly titleField: string;
  readonly check: (values: Values) => FieldErrors;
  /** The call that reads it. */
  readonly call: 'GET /stripe-key/:id' | 'GET /users/:id';
  readonly update: (
    id: string,
    values: Values,
    ifMatch: string | undefined,
  ) => Promise<ApiResponse<ContentRecord>>;
  /** The toast after a save. */
  readonly saved: string;
  readonly fields: (draft: Draft) => ReactNode;
}

export function SettingScreen({ id, of }: { readonly id: string; readonly of: Setting }) {
  const { data, ...start } = useReadOnce(of.call, { id });
  return (
    <LoadedScreen
      title={of.heading}
      back={{ href: of.home.path, label: of.home.title }}
      intro={of.home.about}
      missing={{ title: of.missing, why: 'It may have been removed.' }}
      query={{ ...start, data: data && versioned(data) }}
      lines={4}
    >
      {(start) => <SettingForm start={start} of={of} />}
    </LoadedScreen>
  );
}

function SettingForm({ start, of }: { readonly start: VersionedRecord; readonly of: Setting }) {
  const id = start.record._id;
  const versions = useVersionedDraft({
    labels: of.labels,
    start,
    check: of.check,
    read: async () => versioned(await api(of.call, { id })),
    update: async (values, ifMatch) => versioned(await of.update(id, values, ifMatch)),
    onSaved: () => showToast(of.saved),
  });
  return (
    <EditForm
      name={of.name}
      heading={versions.base.record[of.titleField] ?? ''}
      labels={of.labels}
      {...versions}
      saveLabel="Save"
      onSubmit={versions.save}
      isMain
      notice={<ConflictPanel {...versions} />}
      actions={<DiscardButton {...versions} />}
    >
      {of.fields(versions.draft)}
    </EditForm>
  );
}
