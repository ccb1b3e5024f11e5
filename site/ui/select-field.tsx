/** A labeled choice. It is a file of its own so that the public pages, which have none, do not load its style. */
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Frame, useFieldParts, type FieldText } from './field.tsx';
import css from './select-field.module.css';

/** Pass `<option>` elements as children, or `options` if value and text are the same. */
export function SelectField({
  options,
  children,
  ...props
}: FieldText & ComponentProps<'select'> & { readonly name: string; readonly options?: readonly string[] }) {
  const { frame, control } = useFieldParts(props);
  return (
    <Frame {...frame}>
      <select {...control} className={classNames(control.className, css['select'])}>
        {options?.map((option) => (
          <option key={option}>{option}</option>
        ))}
        {children}
      </select>
    </Frame>
  );
}
