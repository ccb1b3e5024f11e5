/** A labeled bar for a value from 0 to 100: a native `<meter>`, without style attribute or script. */
import css from './meter.module.css';

export function Meter({ label, value }: { readonly label: string; readonly value: number }) {
  const text = `${value}%`;
  return (
    <div className={css['meter']}>
      <span>{label}</span>
      <span aria-hidden="true">{text}</span>
      <meter className={css['bar']} aria-label={label} min={0} max={100} value={value}>
        {text}
      </meter>
    </div>
  );
}
