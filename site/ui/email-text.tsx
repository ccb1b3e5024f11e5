/** An email as text and as a link. */
import { TextLink } from '#site/ui/text-link.tsx';
import { mailtoHref } from '#site/ui/safe-link.tsx';

/** An email that breaks after its @ instead of within a word if the line is too short. */
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

/** Starts an email to the address in the user's own mail program. */
export const EmailLink = ({ email }: { readonly email: string }) => (
  <TextLink href={mailtoHref(email)}>
    <EmailText email={email} />
  </TextLink>
);
