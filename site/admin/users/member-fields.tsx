import { emailTexts, isEmail, trimEmail } from '#contract/account-rules.ts';
import { roleMissing, roleTexts, userRoles, type Role } from '#contract/audience.ts';
import type { FieldErrors } from '#contract/problem.ts';
import { Field } from '#site/ui/field.tsx';
import type { Values } from '../content/content-calls.ts';
import { fieldId } from '../content/editor/edit-form.tsx';
import type { Labels } from '../content/editor/record-changes.ts';
import type { Draft } from '../content/editor/use-draft.ts';
import { stack } from '#site/ui/layout.ts';
import { classNames } from '#site/ui/class-names.ts';
import css from './member-fields.module.css';

export const memberLabels: Labels = { userEmail: 'Email', userRole: 'Role' };

export function memberErrors({ userEmail = '', userRole }: Values): FieldErrors {
  const email = trimEmail(userEmail);
  return {
    ...(!isEmail(email) && { userEmail: email === '' ? emailTexts.required : emailTexts.invalid }),
    ...(!userRoles.some((role) => role === userRole) && { userRole: roleMissing }),
  };
}

/** The values as the body of a call. The server refuses an invalid role. */
export const memberBody = ({ userEmail = '', userRole }: Values) => ({
  userEmail,
  userRole: userRole as Role,
});

export function MemberFields({ draft }: { readonly draft: Draft }) {
  const { values, setValue } = draft;
  return (
    <>
      <Field
        id={fieldId('member', 'userEmail')}
        name="userEmail"
        label="Email"
        type="email"
        spellCheck={false}
        autoComplete="off"
        required
        value={values['userEmail'] ?? ''}
        onChange={({ target }) => setValue('userEmail', target.value)}
      />
      <RoleField draft={draft} />
    </>
  );
}

/** The roles with their explanations. None is preselected. */
function RoleField({ draft: { values, errors, setValue } }: { readonly draft: Draft }) {
  const error = errors['userRole'];
  const labelId = `${fieldId('member', 'userRole')}-label`;
  const errorId = `${fieldId('member', 'userRole')}-error`;
  return (
    <div
      id={fieldId('member', 'userRole')}
      role="radiogroup"
      // Takes the focus if no role is selected.
      tabIndex={-1}
      className={stack(1)}
      aria-labelledby={labelId}
      aria-invalid={error === undefined ? undefined : true}
      aria-describedby={error === undefined ? undefined : errorId}
    >
      <span id={labelId} className="strong">
        Role
      </span>
      {userRoles.map((role) => (
        <label key={role} className={css['role']}>
          <input
            type="radio"
            name="userRole"
            value={role}
            required
            checked={values['userRole'] === role}
            aria-label={role}
            aria-describedby={`role-${role}`}
            onChange={() => setValue('userRole', role)}
          />
          <span>
            <strong>{role}</strong>
            <span id={`role-${role}`} className={classNames('note', css['text'])}>
              {roleTexts[role]}
            </span>
          </span>
        </label>
      ))}
      {error !== undefined && (
        <p id={errorId} className="error">
          {error}
        </p>
      )}
    </div>
  );
}
