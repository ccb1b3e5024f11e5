/** Changes the due day of a plan step. */
import type { PlanStep } from '#contract/plans.calls.ts';
import { Button } from '#site/ui/button.tsx';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { api } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { useForm } from '#site/app/use-form.ts';
import { stack, target } from '#site/ui/layout.ts';
import css from './plan-panel.module.css';

export interface DueDayFormProps {
  readonly step: PlanStep;
  /** Nobody gets an email if the customer's account was deleted. */
  readonly isCustomerGone: boolean;
}

export function DueDayForm({ step: { _id, title, dueDay }, isCustomerGone }: DueDayFormProps) {
  const { ref, errors, failure, isBusy, submit } = useForm();
  const showToast = useToast();
  const typed = () => {
    const field = ref.current?.elements.namedItem('dueDay');
    return field instanceof HTMLInputElement ? field.value : '';
  };
  const move = () =>
    submit({
      check: () => (['', dueDay].includes(typed()) ? { dueDay: 'Choose the new day.' } : {}),
      send: async () => {
        await api('PUT /order-step/:id/due-day', { id: _id, body: { dueDay: typed() } });
        showToast(isCustomerGone ? 'Moved' : 'Moved, and the customer gets an email');
        void refetchScreen();
      },
    });
  return (
    <details>
      <summary className={target(css['summary'])}>
        Move the day<span className="visually-hidden">: {title}</span>
      </summary>
      <Form ref={ref} className={stack(3, css['form'])} onSend={move}>
        <Field
          id={`due-${_id}`}
          name="dueDay"
          type="date"
          label="New day"
          defaultValue={dueDay}
          error={errors['dueDay']}
          {...(!isCustomerGone && {
            help: 'The customer sees both days, and gets an email.',
          })}
        />
        {failure && <Failure error={failure} />}
        <Button type="submit" variant="secondary" busy={isBusy}>
          Move it
        </Button>
      </Form>
    </details>
  );
}
