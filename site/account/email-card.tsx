/** The account's email: verify it with a new link, or change it. */
import { emailTexts, isEmail, trimEmail } from '#contract/account-rules.ts';
import type { SignedIn } from '#contract/account-schemas.ts';
import type { FieldErrors } from '#contract/problem.ts';
import { Badge } from '#site/ui/badge.tsx';
import { Card } from '#site/ui/card.tsx';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { showToast } from '../app/toasts.tsx';
import { api } from '../app/call.ts';
import { SendButton } from '../app/send-button.tsx';
import { ActionButton } from '../app/action-button.tsx';
import { textsIn, useForm } from '../app/use-form.ts';
import { refetchScreen, useCall } from '../app/query.ts';
import { useRefetchOnFocus } from '../app/use-refetch-on-focus.ts';
import { stack } from '#site/ui/layout.ts';

export function EmailCard({ account: { email, emailVerified } }: { readonly account: SignedIn }) {
  return (
    <Card
      title="Email"
      aside={
        <Badge tone={emailVerified ? 'success' : 'warning'}>
          {emailVerified ? 'Verified' : 'Not verified'}
        </Badge>
      }
    >
      <p>{email}</p>
      {!emailVerified && (
        <>
          <p className="muted">Open the link that we emailed you. You can order and pay before you do.</p>
          <ActionButton
            variant="secondary"
            action={() => api('POST /auth/verify/resend')}
            done="We sent you a new link."
            changesNothing
            showsError
          >
            Send a new link
          </ActionButton>
        </>
      )}
      <ChangeEmail />
    </Card>
  );
}

/** Requests a new email address, which takes effect once the user opens the emailed link. */
function ChangeEmail() {
  const asked = useCall('GET /auth/email');
  useRefetchOnFocus(() => void asked.refetch());
  const requested = asked.data?.requested;
  const { ref, ...form } = useForm();
  const change = (element: HTMLFormElement) => {
    const { email } = textsIn(element, ['email']);
    return form.submit({
      check: (): FieldErrors => (isEmail(trimEmail(email)) ? {} : { email: emailTexts.invalid }),
      async send() {
        await api('PUT /auth/email', { body: { email } });
        element.reset();
        void refetchScreen();
        showToast('We sent a link to the new email. Open it to confirm the change.');
      },
    });
  };
  return (
    <Form ref={ref} errors={form.errors} className={stack(4)} onSend={change}>
      {requested && (
        <p className="muted">
          You asked to change your email to <strong>{requested}</strong>. To confirm the change, open the link
          that we sent to that address. If you change your password first, ask again.
        </p>
      )}
      <Field
        name="email"
        label="New email"
        type="email"
        autoComplete="email"
        spellCheck={false}
        maxLength={254}
      />
      <SendButton form={form} variant="secondary">
        Change email
      </SendButton>
    </Form>
  );
}
