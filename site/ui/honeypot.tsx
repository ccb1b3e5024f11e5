/**
 * A field that people can neither see nor focus, but that bots fill in. It asks password managers to ignore it. Its
 * name repeats `honeypotField` of the message contract, because importing that module would load the validation
 * library. A test compares the two.
 */

export function Honeypot({ id }: { readonly id: string }) {
  return (
    <div className="visually-hidden" aria-hidden="true">
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
