/** Changes the due day of a plan step. */
import type { PlanStep } from '#contract/plans.calls.ts';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { api, formBody } from '#site/app/call.ts';
import { SendButton } from '#site/app/send-button.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { useForm } from '#site/app/use-form.ts';
import { stack, target } from '#site/ui/layout.ts';
import button from '#site/ui/button.module.css';

interface DueDayFormProps {
  readonly step: PlanStep;
  /** Whether the customer's account was deleted, so that no email is sent. */
  readonly isCustomerGone: boolean;
}

export function DueDayForm({ step: { _id, title, dueDay }, isCustomerGone }: DueDayFormProps) {
  const { ref, ...form } = useForm();
  const move = (element: HTMLFormElement) => {
    const body = formBody('PUT /order-step/:id/due-day', element);
    return form.submit({
      check: () => (['', dueDay].includes(body.dueDay) ? { dueDay: 'Choose a new due date.' } : {}),
      send: async () => {
        await api('PUT /order-step/:id/due-day', { id: _id, body });
        showToast(isCustomerGone ? 'Due date changed' : 'Due date changed. The customer gets an email.');
        void refetchScreen();
      },
    });
  };
  return (
    <details>
      <summary className={target(button['button'])} data-variant="secondary" data-size="small">
        Change the due date<span className="visually-hidden">: {title}</span>
      </summary>
      <Form ref={ref} errors={form.errors} className={stack(3)} onSend={move}>
        <Field
          id={`due-${_id}`}
          name="dueDay"
          type="date"
          label="New due date"
          defaultValue={dueDay}
          {...(!isCustomerGone && {
            help: 'The customer sees both dates and gets an email.',
          })}
        />
        <SendButton form={form} variant="secondary">
          Change date
        </SendButton>
      </Form>
    </details>
  );
}
