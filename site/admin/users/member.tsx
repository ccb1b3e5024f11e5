/** One user of the administration. */
import type { z } from 'zod';
import { memberChange } from '#contract/accounts.calls.ts';
import { api } from '#site/app/call.ts';
import { MemberFields, memberLabels } from '../content/editor/member-fields.tsx';
import { SettingScreen, type Setting } from '../content/editor/setting-screen.tsx';
import { usersHome } from '../content/section-homes.ts';

const user: Setting<z.output<typeof memberChange>> = {
  name: 'member',
  heading: 'Edit user',
  home: usersHome,
  missing: 'There is no such user',
  labels: memberLabels,
  titleField: 'userEmail',
  schema: memberChange,
  call: 'GET /users/:id',
  update: (id, body, ifMatch) => api('PUT /upadete-users/:id', { id, body, ifMatch }),
  saved: 'User is Updated',
  fields: (draft) => <MemberFields draft={draft} />,
};

export default function Member({ id }: { readonly id: string }) {
  return <SettingScreen id={id} of={user} />;
}
