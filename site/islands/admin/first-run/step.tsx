/** A step of the set-up: its heading, its fields, what no field can say, and the button that goes on. */
import type { ReactNode } from 'react';
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#components/alert.tsx';
import { Button, LinkButton } from '#components/button.tsx';
import type { Form } from '#site/islands/shared/use-form.ts';
import css from '../first-run-gate.module.css';

export interface StepProps {
  readonly number: 1 | 2;
  readonly title: string;
  readonly intro: string;
  /** Of the button. */
  readonly label: string;
  readonly form: Form;
  readonly send: (fields: HTMLFormElement) => Promise<unknown>;
  readonly onDone: () => void;
  readonly children: ReactNode;
  /** Below the button. */
  readonly aside?: ReactNode;
}

export function Step(props: StepProps) {
  const { number, title, intro, label, form, send, onDone, children, aside } = props;
  const { ref, failure, isBusy, submit } = form;
  /** Somebody else was first, or this page is older than the set-up. */
  const isSetUp = failure?.status === 401 || failure?.status === 409;
  return (
    <form
      ref={ref}
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault();
        const fields = event.currentTarget;
        void submit({ send: () => send(fields).then(onDone) });
      }}
    >
      <p className={css['step']}>Step {number} of 2</p>
      <h1 className={css['title']}>{title}</h1>
      <p className={css['intro']}>{intro}</p>
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
          {isSetUp ? 'This site has been set up already.' : failure.message}
        </Alert>
      )}
      <Button type="submit" busy={isBusy}>
        {label}
      </Button>
      {aside}
    </form>
  );
}
