/** An email as text and as a link. */
import { TextLink } from '#site/ui/text-link.tsx';
import { mailtoHref } from '#site/ui/safe-link.tsx';

/** An email that breaks after its @, rather than within a word, where a line is too short for it. */
export function EmailText({ email }: { readonly email: string }) {
  const start = email.indexOf('@') + 1;
  return (
    <>
      {email.slice(0, start)}
      <wbr />
      {email.slice(start)}
    </>
  );
}

/** Begins a mail to it in the reader's own mail program. */
export const EmailLink = ({ email }: { readonly email: string }) => (
  <TextLink href={mailtoHref(email)}>
    <EmailText email={email} />
  </TextLink>
);
