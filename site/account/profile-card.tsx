/** The user's profile. Every field is optional. */
import { useState } from 'react';
import type { Profile } from '#contract/accounts.calls.ts';
import { Card } from '#site/ui/card.tsx';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { showToast } from '../app/toasts.tsx';
import { api } from '../app/call.ts';
import { SendButton } from '../app/send-button.tsx';
import { QueryBoundary } from '../app/query-boundary.tsx';
import { useForm } from '../app/use-form.ts';
import { useReadOnce } from '../app/query.ts';
import { useUnsavedGuard } from '../app/use-unsaved-guard.ts';
import { withTypedSince } from '../app/with-typed-since.ts';
import { stack } from '#site/ui/layout.ts';

const fields = [
  { name: 'name', label: 'Name', autoComplete: 'name', type: 'text' },
  { name: 'company', label: 'Company', autoComplete: 'organization', type: 'text' },
  { name: 'phone', label: 'Phone', autoComplete: 'tel', type: 'tel' },
  {
    name: 'website',
    label: 'Website',
    autoComplete: 'url',
    type: 'text',
    inputMode: 'url',
    placeholder: 'lopezlending.com',
  },
] as const;

export function ProfileCard() {
  const profile = useReadOnce('GET /auth/profile');
  return (
    <Card title="Profile">
      <QueryBoundary query={profile}>{({ data }) => <ProfileForm start={data} />}</QueryBoundary>
    </Card>
  );
}

function ProfileForm({ start }: { readonly start: Profile }) {
  const [saved, setSaved] = useState(start);
  const [typed, setTyped] = useState(start);
  const { ref, ...form } = useForm();
  const changed = fields.filter(({ name }) => typed[name] !== saved[name]);
  useUnsavedGuard(changed.length > 0);
  const send = async () => {
    // Another tab may have saved the other fields since.
    const body = Object.fromEntries(changed.map(({ name }) => [name, typed[name]]));
    const { data } = await api('PUT /auth/profile', { body });
    setSaved(data);
    // Keep text that was typed in the meantime.
    setTyped((now) => withTypedSince(typed, now, data));
    showToast('Your profile is saved.');
  };
  return (
    <Form ref={ref} errors={form.errors} className={stack(4)} onSend={() => form.submit({ send })}>
      {fields.map(({ name, ...field }) => (
        <Field
          key={name}
          {...field}
          name={name}
          maxLength={300}
          value={typed[name]}
          onChange={({ target }) => setTyped((now) => ({ ...now, [name]: target.value }))}
        />
      ))}
      <SendButton form={form}>Save profile</SendButton>
    </Form>
  );
}
