/**
 * The contact form: a plain form that posts by itself, and, once it is first used, one that sends in place and keeps
 * what was typed when something is wrong. Its inputs are uncontrolled, so that what was typed before it hydrated stays.
 */
import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { callAddress } from '../../../worker/contract/call.ts';
import type { FieldErrors } from '../../../worker/contract/problem.ts';
import { Alert } from '../../components/alert.tsx';
import { Button } from '../../components/button.tsx';
import { Field, TextAreaField } from '../../components/field.tsx';
import { Honeypot } from '../../components/honeypot.tsx';
import { ToastRegion } from '../../components/toast.tsx';
import { CallError, makeCall, typedIn } from '../shared/call.ts';
import css from './contact-form.module.css';
import type { PersonCheck } from './person-check.ts';

/** How long the toast is shown before the thank-you page opens. */
export const redirectDelayMs = 1_500;

const hints = {
  name: 'Please enter your name',
  email: 'Please enter your email',
  number: 'Please enter your phone number',
  subject: 'Please enter a subject',
  message: 'Please enter your message',
} as const;
type FieldName = keyof typeof hints;
const fieldNames = Object.keys(hints) as FieldName[];

const inputOf = (form: HTMLFormElement, name: string) => {
  const input = form.elements.namedItem(name);
  return input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement ? input : undefined;
};

/** What the browser finds wrong, in our words where a field is empty. */
function checkFields(form: HTMLFormElement): FieldErrors {
  return Object.fromEntries(
    fieldNames.flatMap((name) => {
      const input = inputOf(form, name);
      if (!input || (input.validity.valid && input.value.trim() !== '')) return [];
      return [[name, input.value.trim() === '' ? hints[name] : input.validationMessage]];
    }),
  );
}

/** Opens the check that a person sends the form, where the site has one. */
async function openCheck(form: HTMLFormElement): Promise<PersonCheck | undefined> {
  const { data } = await makeCall('GET /turnstile');
  if (data.siteKey === null) return undefined;
  const { addPersonCheck } = await import('./person-check.ts');
  return addPersonCheck(form, data.siteKey);
}

/** @param thanksPath the page that opens once the message is sent */
export function ContactForm({ thanksPath }: { readonly thanksPath: string }) {
  const form = useRef<HTMLFormElement>(null);
  const check = useRef<Promise<PersonCheck | undefined>>(undefined);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<ReactNode>();
  const [state, setState] = useState<'editing' | 'sending' | 'sent'>('editing');

  /** The check, opened once; one that could not be opened is tried again at the next sending. */
  function findCheck(element: HTMLFormElement) {
    const opening = (check.current ??= openCheck(element));
    opening.catch(() => {
      check.current = undefined;
    });
    return opening;
  }

  const prepare = useEffectEvent((element: HTMLFormElement) => {
    // From here on errors stand beside their fields; until now the browser's own messages did the work.
    element.noValidate = true;
    void findCheck(element);
  });
  useEffect(() => {
    if (form.current) prepare(form.current);
  }, []);

  function showErrors(found: FieldErrors) {
    setErrors(found);
    const first = fieldNames.find((name) => found[name] !== undefined);
    if (first && form.current) inputOf(form.current, first)?.focus();
  }

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state !== 'editing') return;
    const element = event.currentTarget;
    setFailure(undefined);
    const found = checkFields(element);
    showErrors(found);
    if (Object.keys(found).length > 0) return;
    setState('sending');
    let person: PersonCheck | undefined;
    try {
      person = await findCheck(element);
      await person?.pass();
      await makeCall('POST /add-message', {
        body: { ...typedIn('POST /add-message', element), messageStatus: 'UnRead' },
      });
      setState('sent');
      element.reset();
      setTimeout(() => {
        location.assign(thanksPath);
      }, redirectDelayMs);
    } catch (cause) {
      setState('editing');
      person?.renew();
      if (!(cause instanceof CallError)) throw cause;
      setFailure(cause.message);
      showErrors(cause.fieldErrors);
    }
  }

  const field = (name: FieldName) => ({
    name,
    id: `contact-${name}`,
    placeholder: hints[name],
    required: true,
    error: errors[name],
  });

  return (
    <form
      ref={form}
      method="post"
      action={callAddress('POST /add-message')}
      className={css['form']}
      onSubmit={send}
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
      {failure !== undefined && <Alert title="Your message was not sent">{failure}</Alert>}
      <Button type="submit" busy={state !== 'editing'} className={css['send']}>
        Send message
      </Button>
      <ToastRegion toasts={state === 'sent' ? [{ id: 0, text: 'Message is Send', tone: 'success' }] : []} />
    </form>
  );
}
