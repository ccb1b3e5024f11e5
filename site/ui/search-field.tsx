/** A search above a list of choices. Its label is its placeholder. Enter never sends the form around it. */
import { isComposing } from './is-composing.ts';
import field from './field.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Takes the first match. */
  readonly onEnter?: () => void;
}

export const SearchField = ({ label, value, onChange, onEnter }: SearchFieldProps) => (
  <input
    type="search"
    className={field['control']}
    aria-label={label}
    placeholder={label}
    value={value}
    onChange={({ target }) => onChange(target.value)}
    onKeyDown={(event) => {
      if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return;
      event.preventDefault();
      onEnter?.();
    }}
  />
);
