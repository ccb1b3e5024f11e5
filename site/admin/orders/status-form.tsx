/** The form for one of an order's two statuses. */
import { useState, type ReactNode } from 'react';
import { Button } from '#site/ui/button.tsx';
import { SelectField } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { Failure } from '#site/app/failure.tsx';
import { useMutation } from '#site/app/use-mutation.ts';
import { stack } from '#site/ui/layout.ts';

export interface StatusFormProps<T extends string> {
  readonly label: string;
  readonly name: string;
  readonly options: readonly [T, ...T[]];
  readonly current: string;
  readonly help: string;
  readonly save: (status: T) => Promise<unknown>;
  /** The toast after the server has confirmed the change. */
  readonly done: string;
  /** More fields for a status. */
  readonly fieldsFor?: (status: T, isBusy: boolean) => ReactNode;
  /** The alternative action that is shown with an error. */
  readonly wayOn?: ReactNode;
}

export function StatusForm<T extends string>(props: StatusFormProps<T>) {
  const { label, name, options, current, help, save, done, fieldsFor, wayOn } = props;
  const known = (value: string): T => options.find((option) => option === value) ?? options[0];
  const [status, setStatus] = useState<T>(known(current));
  const { mutate: update, isPending, error } = useMutation({ mutationFn: () => save(status), done });

  return (
    <Form className={stack(4)} noValidate={false} onSend={() => update()}>
      <SelectField
        name={name}
        label={label}
        options={options}
        value={status}
        help={help}
        onChange={({ target }) => setStatus(known(target.value))}
      />
      {fieldsFor?.(status, isPending)}
      {error && <Failure error={error}>{error.status === 409 && wayOn}</Failure>}
      <div>
        <Button type="submit" busy={isPending}>
          Update
        </Button>
      </div>
    </Form>
  );
}
