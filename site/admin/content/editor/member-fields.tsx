/** The fields of an admin user. */
import { userRoles } from '#contract/audience.ts';
import { Field, SelectField } from '#site/ui/field.tsx';
import { fieldId } from './edit-form.tsx';
import type { Labels } from './record-changes.ts';
import type { Draft } from './use-draft.ts';

export const memberLabels: Labels = { userEmail: 'Email', userRole: 'Role' };

export function MemberFields({ draft: { values, errors, setValue } }: { readonly draft: Draft }) {
  return (
    <>
      <Field
        id={fieldId('member', 'userEmail')}
        name="userEmail"
        label="Email"
        type="email"
        inputMode="email"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        required
        value={values['userEmail'] ?? ''}
        error={errors['userEmail']}
        onChange={({ target }) => setValue('userEmail', target.value)}
      />
      <SelectField
        id={fieldId('member', 'userRole')}
        name="userRole"
        label="Role"
        required
        options={userRoles}
        value={values['userRole'] ?? ''}
        error={errors['userRole']}
        onChange={({ target }) => setValue('userRole', target.value)}
      />
    </>
  );
}
