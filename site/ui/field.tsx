/**
 * A labeled form field, with the label above the control, and the help and the error below it. `Field` is an input,
 * `TextAreaField` and `SelectField` (select-field.tsx) are the other two. Fields can be uncontrolled (`defaultValue`) or
 * controlled.
 * Text that a visitor types into an uncontrolled field before hydration stays.
 */
import { createContext, useContext, type ComponentProps, type ReactNode } from 'react';
import type { FieldErrors } from '#contract/problem.ts';
import { classNames } from './class-names.ts';
import css from './field.module.css';

/** The errors of the surrounding form, by field name. */
export const FormErrors = createContext<FieldErrors>({});

export interface FieldText {
  readonly label: string;
  /** The name in the form, and the id, unless `id` is set because two forms on a page share the name. */
  readonly name: string;
  readonly help?: ReactNode;
  /** What is wrong and how to fix it; by default the form's error. An empty string leaves a hidden place for one. */
  readonly error?: string | undefined;
}

interface FieldProps extends FieldText {
  readonly id?: string | undefined;
  readonly required?: boolean | undefined;
  readonly className?: string | undefined;
}

/** Splits the props of a field into those of the frame and those of the control. */
export function useFieldParts<P extends FieldProps>(props: P) {
  const { label, help, error: given, className, ...control } = props;
  const { name, id = name, required } = props;
  const ofForm = useContext(FormErrors)[name];
  const error = given ?? ofForm;
  return {
    frame: { label, help, error, className, id, required },
    control: {
      ...control,
      id,
      className: css['control'],
      'aria-describedby': classNames(error && `${id}-error`, help !== undefined && `${id}-help`),
      'aria-invalid': error ? true : undefined,
    },
  };
}

interface FrameProps extends Omit<FieldProps, 'name'> {
  readonly id: string;
  readonly children: ReactNode;
}

export const Frame = ({ label, help, error, className, id, required, children }: FrameProps) => (
  <div className={classNames(css['frame'], className)}>
    <label htmlFor={id} className={css['label']}>
      {label}
      {required === false && <span className={css['optional']}> (optional)</span>}
    </label>
    {children}
    {error !== undefined && (
      <p id={`${id}-error`} className={css['error']} hidden={error === ''}>
        {error}
      </p>
    )}
    {help !== undefined && (
      <p id={`${id}-help`} className={css['help']}>
        {help}
      </p>
    )}
  </div>
);

/** An input, with `trailing` beside it. `required={false}` adds '(optional)' to the label. */
export function Field({
  trailing,
  ...props
}: FieldText & ComponentProps<'input'> & { readonly trailing?: ReactNode }) {
  const { frame, control } = useFieldParts(props);
  return (
    <Frame {...frame}>
      <span className={css['row']}>
        <input type="text" {...control} />
        {trailing}
      </span>
    </Frame>
  );
}

/** Several lines of text. `tools` are between the label and the text. */
export function TextAreaField({
  tools,
  ...props
}: FieldText & ComponentProps<'textarea'> & { readonly tools?: ReactNode }) {
  const { frame, control } = useFieldParts(props);
  return (
    <Frame {...frame}>
      {tools}
      <textarea rows={5} {...control} />
    </Frame>
  );
}
