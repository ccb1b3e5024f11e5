/** What a mail quotes, and its signature, folded away below its text. */
import css from './quoted-text.module.css';

export const QuotedText = ({ text }: { readonly text: string }) =>
  text === '' ? null : (
    <details className={css['quoted']}>
      <summary>Quoted text and signature</summary>
      <p>{text}</p>
    </details>
  );
