/** What a package promises, point by point. */
import { Check } from 'lucide-react';
import css from './points.module.css';

export function Points({ points }: { readonly points: readonly string[] }) {
  if (points.length === 0) return null;
  return (
    <ul className={css['points']} aria-label="What the package includes">
      {points.map((point, index) => (
        <li key={index} className={css['point']}>
          <Check size="1.125rem" aria-hidden="true" />
          {point}
        </li>
      ))}
    </ul>
  );
}
