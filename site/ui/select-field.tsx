/** A labeled choice. It is a file of its own so that the public pages, which have none, do not load its style. */
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Frame, useFieldParts, type FieldText } from './field.tsx';
import css from './select-field.module.css';

/** A value that is also the text, or a value and its text. */
export type Option = string | readonly [value: string, text: string];

export function SelectField({
  options,
  ...props
}: FieldText & ComponentProps<'select'> & { readonly options: readonly Option[] }) {
  const { frame, control } = useFieldParts(props);
  return (
    <Frame {...frame}>
      <select {...control} className={classNames(control.className, css['select'])}>
        {options.map((option) => {
          const [value, text] = typeof option === 'string' ? [option, option] : option;
          return (
            <option key={value} value={value}>
              {text}
            </option>
          );
        })}
      </select>
    </Frame>
  );
}
