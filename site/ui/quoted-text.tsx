/** The quoted text and the signature of an email, collapsed below the email's own text. */
import { classNames } from './class-names.ts';
import css from './quoted-text.module.css';

export const QuotedText = ({ text }: { readonly text: string }) =>
  text === '' ? null : (
    <details className={classNames('note', css['quoted'])}>
      <summary>Quoted text and signature</summary>
      <p>{text}</p>
    </details>
  );
