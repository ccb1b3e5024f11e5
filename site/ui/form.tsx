/**
 * A form that a script submits. The page stays, and errors appear beside the fields instead of in the browser's
 * own messages.
 */
import type { ComponentProps } from 'react';

/** `noValidate={false}` lets the browser report required fields if we have no text for them. */
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
