/** The newsletter's form, which works without a script. The server redirects back to the thanks below it. */
import { callAddress } from '#contract/call-address.ts';
import { subscribedFragment } from '#contract/inbox.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Honeypot } from './honeypot.tsx';
import css from './subscribe-form.module.css';

export function SubscribeForm() {
  return (
    <form method="post" action={callAddress('POST /add-subscriber')} className={css['form']}>
      <Field
        label="Our newsletter"
        id="subscribe-email"
        name="subemail"
        type="email"
        required
        maxLength={254}
        autoComplete="email"
        placeholder="Your email"
        trailing={
          <Button type="submit" variant="onDeep">
            Subscribe
          </Button>
        }
      />
      <Honeypot id="subscribe-website" />
      <p id={subscribedFragment} className={css['thanks']} tabIndex={-1}>
        Thank you. To join the list, open the link in the email that we just sent you.
      </p>
    </form>
  );
}
