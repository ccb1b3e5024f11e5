/** The field for a new password, with a button that shows what was typed. */
import { useState, type ComponentProps } from 'react';
import { Eye } from 'lucide-react';
import { Field } from './field.tsx';
import css from './show-password.module.css';

export function PasswordField(
  props: Omit<
    ComponentProps<typeof Field>,
    'name' | 'label' | 'required' | 'type' | 'autoComplete' | 'trailing'
  >,
) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field
      {...props}
      name="password"
      label="Password"
      required
      type={isShown ? 'text' : 'password'}
      autoComplete="new-password"
      trailing={
        <button
          type="button"
          className={css['show']}
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
        >
          <Eye size="1.25rem" />
          <span className="visually-hidden">Show password</span>
        </button>
      }
    />
  );
}
