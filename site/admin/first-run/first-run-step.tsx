/** A step of the first run: its heading, its fields, its error and its button. */
import type { ReactNode } from 'react';
import type { FieldErrors } from '#contract/problem.ts';
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { Form } from '#site/ui/form.tsx';
import { useForm } from '#site/app/use-form.ts';
import { stack } from '#site/ui/layout.ts';

/** The progress of the first run. */
export interface At {
  /** The number of the step, and the total number of steps. */
  readonly number: number;
  readonly of: number;
  readonly onDone: () => void;
}

interface StepProps extends At {
  readonly title: string;
  readonly intro: string;
  readonly children: ReactNode;
  readonly label: string;
  readonly check: (form: HTMLFormElement) => FieldErrors;
  readonly send: (form: HTMLFormElement) => Promise<unknown>;
  /** Whether the step can be skipped. */
  readonly canWait?: boolean;
}

export function Step(props: StepProps) {
  const { number, of, title, intro, children, label, check, send, onDone, canWait } = props;
  const { ref, errors, failure, isBusy, submit } = useForm();
  /** Someone else set up the site first, or this page is older than the setup. */
  const isSetUp = failure?.status === 401 || failure?.status === 409;
  return (
    <Form
      ref={ref}
      errors={errors}
      className={stack(4)}
      onSend={(form) => submit({ check: () => check(form), send: () => send(form).then(onDone) })}
    >
      <p className="note strong">
        Step {number} of {of}
      </p>
      <h1>{title}</h1>
      <p className="muted">{intro}</p>
      {children}
      {failure && (
        <Alert
          action={
            isSetUp ? (
              <LinkButton href={linkTo('login')} variant="secondary" size="small">
                Log in
              </LinkButton>
            ) : undefined
          }
        >
          {isSetUp ? 'This site is already set up.' : failure.message}
        </Alert>
      )}
      <Button type="submit" busy={isBusy}>
        {label}
      </Button>
      {canWait && (
        <Button variant="quiet" onClick={onDone}>
          Later
        </Button>
      )}
    </Form>
  );
}
