/** A form that a script sends: the page stays, and what is wrong is said beside the fields instead of by the browser. */
import type { ComponentProps } from 'react';

/** `noValidate={false}` lets the browser say what is required, where no text of ours does. */
export interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly onSend: (form: HTMLFormElement) => unknown;
}

export function Form({ onSend, ...props }: FormProps) {
  return (
    <form
      noValidate
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        onSend(event.currentTarget);
      }}
    />
  );
}
