/** An icon of the set, by its name. An unknown name shows a neutral icon. */
import { Circle } from 'lucide-react';
import { icons, isIconName } from './icons.ts';

interface IconProps {
  /** A name from `icons.ts`. Case does not matter, and spaces count as hyphens. */
  readonly name: string;
  /** The width and height in CSS pixels at the default text size. Icons grow with the text. */
  readonly size?: number;
  /** Describes the icon if no adjacent text does. Without it, the icon is hidden from screen readers. */
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
