/** The users of the admin panel: the form that invites one, and the list. */
import { useState } from 'react';
import type { InvitedMember } from '#contract/accounts.calls.ts';
import { linkTo } from '#contract/screens.ts';
import type { ContentRecord } from '#contract/section-calls.ts';
import { Badge } from '#site/ui/badge.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { confirm } from '#site/ui/confirm.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { takeFocus } from '#site/ui/focus-heading.ts';
import { api } from '#site/app/call.ts';
import { showToast } from '#site/app/toasts.tsx';
import { ActionButton } from '#site/app/action-button.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { joinQueries, useCall } from '#site/app/query.ts';
import { EditForm } from '../content/editor/edit-form.tsx';
import { memberBody, memberErrors, MemberFields, memberLabels } from './member-fields.tsx';
import { useAddForm } from '../content/editor/use-add-form.ts';
import type { Values } from '../content/content-calls.ts';
import type { ItemKind } from '../content/lists/item.tsx';
import { ItemsPanel, type Undo } from '../content/lists/items-panel.tsx';
import { ScreenFrame } from '../shell/screen.tsx';
import { usersHome } from '../content/section-homes.ts';
import { row } from '#site/ui/layout.ts';

const listMembers = async (): Promise<readonly ContentRecord[]> => (await api('GET /users')).data;

const addMember = async (values: Values) => (await api('POST /add-user', { body: memberBody(values) })).data;

/** @param invited the users who have no account yet */
const memberItems = (invited: readonly InvitedMember[]): ItemKind => ({
  titleOf: ({ userEmail = '' }) => userEmail,
  summaryOf: ({ userRole = '' }) => userRole,
  textsOf: ({ userEmail = '', userRole = '' }) => [userEmail, userRole],
  edit: { linkTo: (id) => linkTo('member', id), label: 'Update user' },
  marksOf: ({ _id, userEmail = '' }) => {
    const invitation = invited.find((each) => each._id === _id);
    return invitation && <Invited invitation={invitation} email={userEmail} />;
  },
  canRemove: true,
  canReorder: false,
  wrapsTitle: true,
});

/** Shows that a user has no account yet, with a button that sends another invitation. */
function Invited({ invitation, email }: { readonly invitation: InvitedMember; readonly email: string }) {
  const { _id, until } = invitation;
  return (
    <p className={row([1, 3])}>
      <Badge tone={until === null ? 'warning' : 'info'}>Invited</Badge>
      <span className="note">
        {until === null ? (
          'The link has expired.'
        ) : (
          <>
            The link is valid until <DateTime at={until} />.
          </>
        )}
      </span>
      <ActionButton
        variant="secondary"
        size="small"
        action={() => api('POST /users/:id/invitation', { id: _id })}
        done="The invitation is on its way"
      >
        Send again<span className="visually-hidden"> to {email}</span>
      </ActionButton>
    </p>
  );
}

async function removeMember({ _id, userEmail = '', userRole = '' }: ContentRecord): Promise<Undo> {
  await api('DELETE /users/:id', { id: _id });
  return async () => (await addMember({ userEmail, userRole }))._id;
}

const confirmLeaving = () =>
  confirm({
    title: 'Remove yourself?',
    text: 'You will no longer be able to administer the site. Only another administrator can add you again.',
    confirm: 'Remove me',
    variant: 'danger',
  });

/**
 * Whether someone else could add a removed administrator again. If not, the server refuses the removal and says why.
 */
const hasOtherAdministrator = (
  {
    members,
    invited,
  }: { readonly members: readonly ContentRecord[]; readonly invited: readonly InvitedMember[] },
  ownEmail: string | undefined,
): boolean =>
  members.some(
    ({ _id, userEmail, userRole }) =>
      userRole === 'Admin' && userEmail !== ownEmail && !invited.some((each) => each._id === _id),
  );

/** People who remove themselves lose access, so they cannot undo it. */
const Left = () => (
  <EmptyState
    title="You are no longer an administrator of this site"
    action={
      <LinkButton ref={takeFocus} href={linkTo('home')}>
        View site
      </LinkButton>
    }
  >
    Another administrator can add you again.
  </EmptyState>
);

export default function Members() {
  const members = useCall('GET /users');
  const invited = useCall('GET /invited-users');
  const session = useCall('GET /auth/session');
  const [hasLeft, setHasLeft] = useState(false);
  const ownEmail = session.data?.account?.email;
  const remove = async (member: ContentRecord) => {
    const undo = await removeMember(member);
    if (member['userEmail'] === ownEmail) setHasLeft(true);
    return undo;
  };
  if (hasLeft)
    return (
      <ScreenFrame title={usersHome.title}>
        <Left />
      </ScreenFrame>
    );
  return (
    <ScreenFrame title={usersHome.title} intro={usersHome.about}>
      <QueryBoundary query={joinQueries({ members, invited, session })}>
        {(data) => (
          <>
            <AddMember />
            <ItemsPanel
              title={usersHome.title}
              itemTitle="User"
              kind={memberItems(data.invited)}
              listed={data.members}
              onList={listMembers}
              onReorder={(order) => api('PUT /users', { body: { order: [...order] } })}
              onRemove={remove}
              mayRemove={async ({ userEmail }) =>
                userEmail !== ownEmail || !hasOtherAdministrator(data, ownEmail) || confirmLeaving()
              }
            />
          </>
        )}
      </QueryBoundary>
    </ScreenFrame>
  );
}

// The form preselects no role.
const blank = { userEmail: '', userRole: '' };

function AddMember() {
  const { form } = useAddForm({
    blank,
    check: memberErrors,
    add: addMember,
    onAdded: () => showToast('User Is Added'),
  });
  return (
    <EditForm {...form} name="member" heading="Add user" labels={memberLabels}>
      <MemberFields draft={form.draft} />
    </EditForm>
  );
}
