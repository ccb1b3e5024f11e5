/** One of an order's statuses, and the form that changes it. */
import { useState, type ReactNode } from 'react';
import { Button } from '#site/ui/button.tsx';
import { SelectField } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { Failure } from '#site/app/failure.tsx';
import { useAction } from '#site/app/use-action.ts';
import css from './status-form.module.css';

export interface StatusFormProps<T extends string> {
  readonly label: string;
  readonly name: string;
  readonly options: readonly [T, ...T[]];
  readonly current: string;
  readonly help: string;
  readonly save: (status: T) => Promise<unknown>;
  /** Toast once the server has confirmed. */
  readonly done: string;
  /** Fields that go with a status, where it has some. */
  readonly fieldsFor?: (status: T, isBusy: boolean) => ReactNode;
  /** What can be done instead, shown with a refusal. */
  readonly wayOn?: ReactNode;
  /** Called when it has changed, and when somebody else has changed it. */
  readonly onChange: () => void;
}

export function StatusForm<T extends string>(props: StatusFormProps<T>) {
  const { label, name, options, current, help, save, done, fieldsFor, wayOn, onChange } = props;
  const known = (value: string): T => options.find((option) => option === value) ?? options[0];
  const [status, setStatus] = useState<T>(known(current));
  const { act, isBusy, error } = useAction(undefined, onChange);
  const showToast = useToast();

  const update = () =>
    act(async () => {
      await save(status);
      showToast(done);
      onChange();
    });

  return (
    <Form className={css['form']} noValidate={false} onSend={update}>
      <SelectField
        name={name}
        label={label}
        options={options}
        value={status}
        help={help}
        onChange={({ target }) => setStatus(known(target.value))}
      />
      {fieldsFor?.(status, isBusy)}
      {error && <Failure error={error}>{error.status === 409 && wayOn}</Failure>}
      <Button type="submit" busy={isBusy}>
        Update
      </Button>
    </Form>
  );
}
