/** A form that a script submits. Errors appear next to the fields, not in the browser's own messages. */
import type { ComponentProps } from 'react';
import type { FieldErrors } from '#contract/problem.ts';
import { FormErrors } from './field.tsx';

/** `noValidate={false}` lets the browser report required fields if we have no text for them. */
interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly errors?: FieldErrors;
  readonly onSend: (form: HTMLFormElement) => unknown;
}

export function Form({ errors = {}, onSend, ...props }: FormProps) {
  return (
    <FormErrors value={errors}>
      <form
        noValidate
        {...props}
        onSubmit={(event) => {
          event.preventDefault();
          onSend(event.currentTarget);
        }}
      />
    </FormErrors>
  );
}
