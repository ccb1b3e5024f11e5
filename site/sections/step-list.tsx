/** Numbered steps along a line: the work steps of the service page and 'How it works' on the pricing page. */
import { Icon } from '../components/icon.tsx';
import css from './step-list.module.css';

export interface StepListProps {
  readonly steps: readonly {
    readonly id: string;
    readonly number: string;
    readonly title: string;
    readonly details: string;
    readonly icon?: string;
  }[];
}

export function StepList({ steps }: StepListProps) {
  return (
    <ol className={css['steps']}>
      {steps.map(({ id, number, title, details, icon }) => (
        <li key={id} className={css['step']}>
          <p className={css['number']}>
            {number}
            {icon && <Icon name={icon} size={28} />}
          </p>
          <h3>{title}</h3>
          <p className={css['details']}>{details}</p>
        </li>
      ))}
    </ol>
  );
}
