/** One admin user. */
import type { z } from 'zod';
import { memberChange } from '#contract/accounts.calls.ts';
import { makeCall } from '#site/islands/shared/call.ts';
import { MemberFields, memberLabels } from '../editor/member-fields.tsx';
import { SettingScreen, type Setting } from '../editor/setting-screen.tsx';
import { usersHome } from '../section-homes.ts';

const user: Setting<z.output<typeof memberChange>> = {
  name: 'member',
  heading: 'Edit user',
  home: usersHome,
  missing: 'There is no such user',
  labels: memberLabels,
  titleField: 'userEmail',
  schema: memberChange,
  read: (id, signal) => makeCall('GET /users/:id', { id, signal }),
  update: (id, body, ifMatch) => makeCall('PUT /upadete-users/:id', { id, body, ifMatch }),
  saved: 'User is Updated',
  fields: (draft) => <MemberFields draft={draft} />,
};

export default function Member({ id }: { readonly id: string }) {
  return <SettingScreen id={id} of={user} />;
}
