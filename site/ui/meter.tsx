/**
 * A labeled bar for a value between 0 and `max`. It uses the browser's own `<meter>`, so it needs no style
 * attribute and no script.
 */
import css from './meter.module.css';

export interface MeterProps {
  readonly label: string;
  readonly value: number;
  readonly max?: number;
}

export function Meter({ label, value, max = 100 }: MeterProps) {
  const text = `${value}%`;
  return (
    <div className={css['meter']}>
      <span>{label}</span>
      <span className={css['value']} aria-hidden="true">
        {text}
      </span>
      <meter className={css['bar']} aria-label={label} min={0} max={max} value={value}>
        {text}
      </meter>
    </div>
  );
}
