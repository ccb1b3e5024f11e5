/** One admin user. */
import { memberChange } from '#contract/calls/accounts.ts';
import { useToast } from '#components/toast.tsx';
import { makeCall } from '#site/islands/shared/call.ts';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { versioned, type VersionedRecord } from '../content-calls.ts';
import { fieldErrorsOf } from '#contract/problem.ts';
import { MemberFields, memberLabels } from '../editor/member-fields.tsx';
import { useVersionedDraft } from '../editor/use-versioned-draft.ts';
import { VersionedForm, VersionedScreen } from '../editor/versioned-form.tsx';
import { usersHome } from '../section-homes.ts';

const readMember = async (id: string, signal?: AbortSignal) =>
  versioned(await makeCall('GET /users/:id', { id, signal }));

export default function Member({ id }: { readonly id: string }) {
  const loaded = useLoaded(id, (signal) => readMember(id, signal));
  return (
    <VersionedScreen heading="Edit user" home={usersHome} missing="There is no such user" loaded={loaded}>
      {(start) => <MemberEditor start={start} />}
    </VersionedScreen>
  );
}

function MemberEditor({ start }: { readonly start: VersionedRecord }) {
  const showToast = useToast();
  const id = start.record._id;
  const versions = useVersionedDraft({
    labels: memberLabels,
    start,
    check: (values) => fieldErrorsOf(memberChange.safeParse(values)),
    read: () => readMember(id),
    update: async (values, ifMatch) =>
      versioned(await makeCall('PUT /upadete-users/:id', { id, body: memberChange.parse(values), ifMatch })),
    onSaved: () => showToast('User is Updated'),
  });
  return (
    <VersionedForm
      name="member"
      heading={versions.base.record['userEmail'] ?? ''}
      labels={memberLabels}
      versions={versions}
    >
      <MemberFields draft={versions.draft} />
    </VersionedForm>
  );
}
