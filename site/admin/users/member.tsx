import { api } from '#site/app/call.ts';
import { memberBody, memberErrors, MemberFields, memberLabels } from './member-fields.tsx';
import { SettingScreen, type Setting } from '../content/editor/setting-screen.tsx';
import { usersHome } from '../content/section-homes.ts';

const user: Setting = {
  name: 'member',
  heading: 'Edit user',
  home: usersHome,
  missing: 'We could not find this user',
  labels: memberLabels,
  titleField: 'userEmail',
  check: memberErrors,
  call: 'GET /users/:id',
  update: (id, values, ifMatch) => api('PUT /upadete-users/:id', { id, body: memberBody(values), ifMatch }),
  saved: 'User is Updated',
  fields: (draft) => <MemberFields draft={draft} />,
};

export default function Member({ id }: { readonly id: string }) {
  return <SettingScreen id={id} of={user} />;
}
