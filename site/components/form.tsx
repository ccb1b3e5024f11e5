/** A form that a script sends: the page stays, and what is wrong is said beside the fields instead of by the browser. */
import type { ComponentProps } from 'react';

export interface FormProps extends Omit<ComponentProps<'form'>, 'noValidate' | 'onSubmit'> {
  readonly onSend: (form: HTMLFormElement) => unknown;
}

export function Form({ onSend, ...props }: FormProps) {
  return (
    <form
      {...props}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSend(event.currentTarget);
      }}
    />
  );
}
