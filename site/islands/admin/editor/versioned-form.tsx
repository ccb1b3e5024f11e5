/** What the screens of settings share that are edited as content is, and are no content: one admin user, the payment key. */
import type { ReactNode } from 'react';
import type { Loaded } from '#site/islands/shared/use-loaded.ts';
import type { VersionedRecord } from '../content-calls.ts';
import { LoadedScreen } from '../screen.tsx';
import type { Home } from '../section-homes.ts';
import { ConflictPanel } from './conflict-panel.tsx';
import { DiscardButton, EditForm, type EditFormProps } from './edit-form.tsx';
import type { VersionedDraft } from './use-versioned-draft.ts';

/** The screen of one record, once it is read; with the way back where there is none. */
export function VersionedScreen({
  heading,
  home,
  missing,
  loaded,
  children,
}: {
  readonly heading: string;
  readonly home: Home;
  readonly missing: string;
  readonly loaded: Loaded<VersionedRecord>;
  readonly children: (start: VersionedRecord) => ReactNode;
}) {
  return (
    <LoadedScreen
      title={heading}
      back={{ href: home.path, label: home.title }}
      intro={home.about}
      missing={{ title: missing, why: 'It may have been removed.' }}
      loaded={loaded}
      lines={4}
    >
      {children}
    </LoadedScreen>
  );
}

/** The form of a record that others may change meanwhile. */
export function VersionedForm({
  versions,
  ...form
}: Pick<EditFormProps, 'name' | 'heading' | 'labels' | 'children'> & { readonly versions: VersionedDraft }) {
  return (
    <EditForm
      {...form}
      draft={versions.draft}
      isDirty={versions.isDirty}
      saveLabel="Save"
      onSubmit={versions.save}
      isMain
      notice={<ConflictPanel {...versions} />}
      actions={<DiscardButton {...versions} />}
    />
  );
}
