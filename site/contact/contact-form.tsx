/**
 * The contact form. It is a plain form that works without a script. Once the visitor uses it and the script has loaded,
 * it sends in place and keeps typed text after an error. Its inputs are uncontrolled, so that text typed before
 * hydration is kept.
 */
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { emailTexts } from '#contract/account-rules.ts';
import { callAddress } from '#contract/call-address.ts';
import type { FieldErrors } from '#contract/problem.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { Field, TextAreaField } from '#site/ui/field.tsx';
import { Honeypot } from '#site/ui/honeypot.tsx';
import { ToastRegion } from '#site/ui/toast.tsx';
import { api, formBody } from '../app/call.ts';
import '../ui/translated-page.ts';
import { useForm } from '../app/use-form.ts';
import { useIdempotencyKey } from '../app/use-idempotency-key.ts';
import { useRefetchOnFocus } from '../app/use-refetch-on-focus.ts';
import { useUnsavedGuard } from '../app/use-unsaved-guard.ts';
import { sourceOfVisit } from '../app/visit.ts';
import css from './contact-form.module.css';
import './keep-typed-text.ts';
import { useTurnstile } from './turnstile.ts';

/** How long the toast is shown before the thank-you page opens. */
const redirectDelayMs = 1_500;

/** The error message for each empty field, with an example. */
const asks = {
  name: { title: 'Please enter your name', placeholder: 'Maria Lopez' },
  email: { title: 'Please enter your email', placeholder: 'maria@lopezlending.com' },
  number: { title: 'Please enter your phone number', placeholder: '(312) 555-0199' },
  subject: { title: 'Please enter a subject', placeholder: 'A package for two offices' },
  message: {
    title: 'Please enter your message',
    placeholder: 'We lend in Joliet and Aurora and want to be found for bridge loans. Which package fits us?',
  },
} as const;

/** The error of each field. Only an email can be invalid without being empty. */
function checkFields(form: HTMLFormElement): FieldErrors {
  const asked = Array.from(form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[required]'));
  return Object.fromEntries(
    asked.flatMap(({ name, value, title, validity }) =>
      value.trim() === '' ? [[name, title]] : validity.valid ? [] : [[name, emailTexts.invalid]],
    ),
  );
}

/** @param thanksPath the page that opens once the message is sent */
export function ContactForm({ thanksPath }: { readonly thanksPath: string }) {
  const { ref, errors, error, isBusy, submit } = useForm();
  const afterCheck = useTurnstile(ref);
  const { keyFor, renew } = useIdempotencyKey();
  const [isSent, setIsSent] = useState(false);
  const [isWriting, setIsWriting] = useState(false);
  useUnsavedGuard(isWriting && !isSent);
  const isLeaving = useRef(false);
  // After Back from the thank-you page, another message can be sent.
  useRefetchOnFocus(() => {
    if (!isLeaving.current) setIsSent(false);
  });

  useEffect(() => {
    // From now on, errors appear next to their fields. Until now, the browser showed its own messages.
    if (ref.current) ref.current.noValidate = true;
  }, [ref]);

  async function send(element: HTMLFormElement) {
    const { name, email, number, subject, message } = formBody('POST /add-message', element);
    // Each request needs a new Turnstile token.
    const idempotencyKey = keyFor([name, email, number, subject, message]);
    await afterCheck(element, () =>
      api('POST /add-message', {
        idempotencyKey,
        body: { ...formBody('POST /add-message', element), messageStatus: 'UnRead', ...sourceOfVisit() },
      }),
    );
    renew();
    setIsSent(true);
    setIsWriting(false);
    element.reset();
    isLeaving.current = true;
    setTimeout(() => {
      isLeaving.current = false;
      location.assign(thanksPath);
    }, redirectDelayMs);
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    if (!isSent) void submit({ check: () => checkFields(element), send: () => send(element) });
  }

  const field = (name: keyof typeof asks) => ({
    name,
    id: `contact-${name}`,
    ...asks[name],
    required: true,
    error: errors[name],
  });

  return (
    <form
      ref={ref}
      method="post"
      action={callAddress('POST /add-message')}
      className={css['form']}
      onSubmit={onSubmit}
      onInput={({ currentTarget }) =>
        setIsWriting(formBody('POST /add-message', currentTarget).message !== '')
      }
    >
      <div className={css['pair']}>
        <Field {...field('name')} label="Name" autoComplete="name" maxLength={200} />
        <Field {...field('email')} label="Email" type="email" autoComplete="email" maxLength={254} />
      </div>
      <div className={css['pair']}>
        <Field {...field('number')} label="Phone number" type="tel" autoComplete="tel" maxLength={50} />
        <Field {...field('subject')} label="Subject" maxLength={200} />
      </div>
      <TextAreaField {...field('message')} label="Message" rows={6} maxLength={5_000} />
      <Honeypot id="contact-website" />
      {error && <Alert title="Your message was not sent">{error.message}</Alert>}
      <Button type="submit" busy={isBusy || isSent} className={css['send']}>
        Send message
      </Button>
      <ToastRegion toasts={isSent ? [{ id: 0, text: 'Message is Send', tone: 'success' }] : []} />
    </form>
  );
}
