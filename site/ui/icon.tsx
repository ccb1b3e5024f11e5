/** An icon of the set, by its name. An unknown name shows a neutral icon. */
import { Circle } from 'lucide-react';
import { icons, isIconName } from './icons.ts';

interface IconProps {
  /** A name from `icons.ts`. Case does not matter, and spaces count as hyphens. */
  readonly name: string;
  /** The width and height in CSS pixels at the default text size. Icons grow with the text. */
  readonly size?: number;
}

export function Icon({ name, size = 24 }: IconProps) {
  const key = name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  const Drawing = isIconName(key) ? icons[key] : Circle;
  return <Drawing size={`${size / 16}rem`} strokeWidth={1.75} />;
}
