/** Where a message is written: its text and its files stay until the server has them. */
import { useState } from 'react';
import { maxMessageLength, type OrderFile } from '#contract/conversations.ts';
import { Button } from '#components/button.tsx';
import { TextAreaField } from '#components/field.tsx';
import { Form } from '#components/form.tsx';
import { makeCall } from '../call.ts';
import { Failure } from '../failure.tsx';
import { useForm } from '../use-form.ts';
import { useIdempotencyKey } from '../use-idempotency-key.ts';
import { useUnsavedGuard } from '../use-unsaved-guard.ts';
import { FilePicker } from './files.tsx';
import { useFiles } from './use-files.ts';
import css from './conversation.module.css';

export interface ComposerProps {
  readonly orderId: string;
  /** `missing`: the customer says what the delivery lacks. */
  readonly kind: 'message' | 'missing';
  /** Files that wait for a message since earlier. */
  readonly unsent: readonly OrderFile[];
  readonly onSent: () => void;
}

export function Composer({ orderId, kind, unsent, onSent }: ComposerProps) {
  const [text, setText] = useState('');
  const files = useFiles(orderId, unsent);
  const { ref, errors, failure, isBusy, submit, clear } = useForm();
  const { keyFor, renew } = useIdempotencyKey();
  useUnsavedGuard(text.trim() !== '');

  const send = () =>
    submit({
      check: () => ({
        ...(text.trim() === '' && (kind === 'missing' || files.items.length === 0)
          ? { text: kind === 'missing' ? 'Please say what is missing.' : 'Please type your message.' }
          : {}),
        ...(files.obstacle !== undefined && { text: files.obstacle }),
      }),
      send: async () => {
        const body = { kind, text, files: [...files.ids] };
        await makeCall('POST /order/:id/messages', {
          id: orderId,
          body,
          idempotencyKey: keyFor(body),
        });
        renew();
        setText('');
        files.clear();
        onSent();
      },
    });

  return (
    <Form ref={ref} className={css['composer']} onSend={send}>
      <TextAreaField
        id="message-text"
        name="text"
        label={kind === 'missing' ? 'What is missing?' : 'Your message'}
        rows={4}
        maxLength={maxMessageLength}
        value={text}
        error={errors['text']}
        onChange={({ target }) => {
          setText(target.value);
          clear('text');
        }}
      />
      <FilePicker files={files} label="Add files" />
      {failure && <Failure error={failure} />}
      <Button type="submit" busy={isBusy}>
        Send message
      </Button>
    </Form>
  );
}
