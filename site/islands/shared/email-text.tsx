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
