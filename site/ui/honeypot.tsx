/**
 * A field that people neither see nor reach and that bots fill in; password managers are asked to leave it alone. Its name is `honeypotField` of the message contract,
 * repeated here because that module would bring the validation library along (a test holds the two together).
 */
import css from './honeypot.module.css';

export function Honeypot({ id }: { readonly id: string }) {
  return (
    <div className={css['honeypot']} aria-hidden="true">
      <label htmlFor={id}>Leave this field empty</label>
      <input
        id={id}
        name="website"
        type="text"
        tabIndex={-1}
        autoComplete="off"
        data-1p-ignore=""
        data-lpignore="true"
        data-bwignore=""
      />
    </div>
  );
}
