/** The points of a package as a list. */
import { Check, Dot } from 'lucide-react';
import { stack } from './layout.ts';
import css from './points.module.css';

interface PointsProps {
  readonly points: readonly string[];
  /** Whether they are part of an order. A check mark would then suggest that the point is done. */
  readonly isOrdered?: boolean;
}

export function Points({ points, isOrdered = false }: PointsProps) {
  const Mark = isOrdered ? Dot : Check;
  if (points.length === 0) return null;
  return (
    <ul className={stack(2, css['points'])} aria-label="What the package includes">
      {points.map((point, index) => (
        <li key={index} className={css['point']}>
          <Mark size="1.125rem" />
          {point}
        </li>
      ))}
    </ul>
  );
}
