/** An icon of the set by its name; an unknown name shows a neutral icon, as icon fields promise. */
import { Circle } from 'lucide-react';
import { icons, isIconName } from './icons.ts';

export interface IconProps {
  /** A name of `icons.ts`; matched without regard to case, spaces and hyphens being alike. */
  readonly name: string;
  /** Side in CSS pixels where text has its usual size, with which icons grow. */
  readonly size?: number;
  /** Says what the icon means where no text stands beside it; without it the icon is hidden from screen readers. */
  readonly label?: string;
}

export function Icon({ name, size = 24, label }: IconProps) {
  const key = name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  const Drawing = isIconName(key) ? icons[key] : Circle;
  const look = { size: `${size / 16}rem`, strokeWidth: 1.75 };
  return label === undefined ? (
    <Drawing {...look} aria-hidden="true" />
  ) : (
    <Drawing {...look} role="img" aria-label={label} />
  );
}
