/** The form for a message. Text and files are kept until the server has stored them. */
import { useEffect } from 'react';
import { maxMessageLength } from '#contract/conversations.ts';
import type { OrderFile } from '#contract/conversations.calls.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { TextAreaField } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { api } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { focusHeading } from '#site/ui/focus-heading.ts';
import { useForm } from '#site/app/use-form.ts';
import { useTypedText } from '#site/app/use-typed-text.ts';
import { FilePicker } from './files.tsx';
import { useFiles } from './use-files.ts';
import { cluster, stack } from '#site/ui/layout.ts';
import css from './conversation.module.css';

/** The name of this form for `picked-for.ts`. */
export const messageForm = 'message';

interface ComposerProps {
  readonly orderId: string;
  /** The delivery that the customer reports as incomplete; undefined for any other message. */
  readonly missingFrom: string | undefined;
  /** Whether the customer's account was deleted. An unfinished message is then still visible, but cannot be sent. */
  readonly isCustomerGone: boolean;
  readonly unsent: readonly OrderFile[];
  /** Cancels the report that something is missing. */
  readonly onBack: () => void;
}

export function Composer({ orderId, missingFrom, isCustomerGone, unsent, onBack }: ComposerProps) {
  const isMissing = missingFrom !== undefined;
  const files = useFiles(orderId, messageForm, unsent);
  const { ref, errors, failure, isBusy, submit } = useForm();
  const { text, setText, keyFor, clearSent } = useTypedText(ref, messageForm);
  useEffect(() => {
    if (isMissing) ref.current?.querySelector('textarea')?.focus();
  }, [isMissing, ref]);
  const isBegun = text.trim() !== '' || files.items.length > 0;

  const send = () =>
    submit({
      check: () => ({
        ...(text.trim() === '' && (isMissing || files.items.length === 0)
          ? { text: isMissing ? 'Please say what is missing.' : 'Please enter your message.' }
          : {}),
        ...(files.disabledReason !== undefined && { files: files.disabledReason }),
      }),
      send: async () => {
        const kind = isMissing ? ('missing' as const) : ('message' as const);
        const body = { kind, text, files: [...files.ids], delivery: missingFrom };
        const options = { id: orderId, body, idempotencyKey: keyFor(body) };
        await api('POST /order/:id/messages', options);
        clearSent();
        files.clear(body.files);
        showToast('Message sent');
        void refetchScreen();
      },
      onConflict: () => void refetchScreen(),
    });

  return (
    <Form ref={ref} errors={errors} className={stack(3, css['composer'], 'screen-only')} onSend={send}>
      {isCustomerGone && <WhyClosed isBegun={isBegun} />}
      <div className={stack(3)} hidden={isCustomerGone && !isBegun}>
        <TextAreaField
          id="message-text"
          name="text"
          label={isMissing ? 'What is missing?' : 'Your message'}
          rows={3}
          maxLength={maxMessageLength}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <FilePicker files={files} label="Add files" isClosed={isCustomerGone} />
        <Failure error={failure} />
        {!isCustomerGone && (
          <div className={cluster(2)}>
            <Button type="submit" busy={isBusy}>
              Send message
            </Button>
            {isMissing && !isBusy && (
              <Button
                variant="secondary"
                onClick={() => {
                  focusHeading(ref.current);
                  onBack();
                }}
              >
                Back
              </Button>
            )}
          </div>
        )}
      </div>
    </Form>
  );
}

/** Explains why nothing can be sent to a customer whose account was deleted. */
const WhyClosed = ({ isBegun }: { readonly isBegun: boolean }) =>
  isBegun ? (
    <Alert tone="info" title="Your message was not sent">
      This customer's account was deleted, so nobody can receive your message. Your text is still here.
    </Alert>
  ) : (
    <p className="note">This customer's account was deleted, so nobody can receive a message.</p>
  );
