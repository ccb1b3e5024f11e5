/**
 * A labeled form field, with the label above, the help below, and the error beside its cause. `Field` is an
 * input, `TextAreaField` and `SelectField` are the other two. Uncontrolled use (`defaultValue`) works as well as
 * controlled use, so what a visitor types before a form hydrates stays.
 */
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './field.module.css';

export interface FieldText {
  readonly label: string;
  /** Name in the form. It is also the id, unless `id` is given, because two forms of a page may share a name. */
  readonly name: string;
  /** A sentence that helps people fill in the field. */
  readonly help?: ReactNode;
  /** What is wrong and how to fix it. An empty string counts as none. */
  readonly error?: string | undefined;
}

interface FrameProps extends FieldText {
  readonly id?: string | undefined;
  readonly required?: boolean | undefined;
  readonly className?: string | undefined;
}

const idsOf = ({ id, name, help, error }: FrameProps) => {
  const field = id ?? name;
  const describedBy = classNames(error && `${field}-error`, help !== undefined && `${field}-help`);
  return { field, describedBy, invalid: error ? true : undefined };
};

function Frame({ children, ...props }: FrameProps & { readonly children: ReactNode }) {
  const { field } = idsOf(props);
  return (
    <div className={classNames(css['frame'], props.className)}>
      <label htmlFor={field} className={css['label']}>
        {props.label}
        {props.required === false && <span className={css['optional']}> (optional)</span>}
      </label>
      {children}
      {props.error && (
        <p id={`${field}-error`} className={css['error']}>
          {props.error}
        </p>
      )}
      {props.help !== undefined && (
        <p id={`${field}-help`} className={css['help']}>
          {props.help}
        </p>
      )}
    </div>
  );
}

/**
 * An input. `required={false}` adds '(optional)' to the label. `trailing` goes inside at the end (a show-password
 * button).
 */
export function Field({
  label,
  help,
  error,
  className,
  trailing,
  ...input
}: FieldText & ComponentProps<'input'> & { readonly name: string; readonly trailing?: ReactNode }) {
  const frame = { label, help, error, className, id: input.id, name: input.name, required: input.required };
  const { field, describedBy, invalid } = idsOf(frame);
  return (
    <Frame {...frame}>
      <span className={css['row']}>
        <input
          type="text"
          {...input}
          id={field}
          className={css['control']}
          aria-describedby={describedBy}
          aria-invalid={invalid}
        />
        {trailing}
      </span>
    </Frame>
  );
}

/** Several lines of text. */
export function TextAreaField({
  label,
  help,
  error,
  className,
  ...area
}: FieldText & ComponentProps<'textarea'> & { readonly name: string }) {
  const frame = { label, help, error, className, id: area.id, name: area.name, required: area.required };
  const { field, describedBy, invalid } = idsOf(frame);
  return (
    <Frame {...frame}>
      <textarea
        rows={5}
        {...area}
        id={field}
        className={css['control']}
        aria-describedby={describedBy}
        aria-invalid={invalid}
      />
    </Frame>
  );
}

/** A choice. Pass `<option>` elements as children, or `options` if value and text are the same. */
export function SelectField({
  label,
  help,
  error,
  className,
  options,
  children,
  ...select
}: FieldText & ComponentProps<'select'> & { readonly name: string; readonly options?: readonly string[] }) {
  const frame = {
    label,
    help,
    error,
    className,
    id: select.id,
    name: select.name,
    required: select.required,
  };
  const { field, describedBy, invalid } = idsOf(frame);
  return (
    <Frame {...frame}>
      <select
        {...select}
        id={field}
        className={css['control']}
        aria-describedby={describedBy}
        aria-invalid={invalid}
      >
        {options?.map((option) => (
          <option key={option}>{option}</option>
        ))}
        {children}
      </select>
    </Frame>
  );
}
