/** The site's icons for browser tabs and home screens, from the brand. */
import { accentProblem, defaultAccent } from '#contract/colors.ts';
import { iconPath, iconSizes } from '#contract/media.ts';
import { safeSrc } from '../ui/safe-link.tsx';

/** The firm's accent color, or the default one of the styles. */
export const accentOf = (color = ''): string => (accentProblem(color) === undefined ? color : defaultAccent);

/** The attributes of a `<link>`. */
interface IconLink {
  readonly rel: string;
  readonly href: string;
  readonly sizes?: string;
}

/** A data URL with the first letter of the name on the accent color. */
function letterIcon(name: string, accent: string): string {
  const letter = Array.from(name.trim())[0]?.toUpperCase() ?? '';
  const escaped = letter.replace(/[&<>]/g, '');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="${accent}"/><text x="32" y="46" font-family="sans-serif" font-size="40" font-weight="700" text-anchor="middle" fill="#fff">${escaped}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** @param icon the brand's icon, if it has one */
export function iconsOf(name: string, accent: string, icon: string | undefined): readonly IconLink[] {
  const src = safeSrc(icon);
  if (src === undefined) return [{ rel: 'icon', href: letterIcon(name, accent) }];
  const { tab, homeScreen } = iconSizes;
  return [
    { rel: 'icon', href: iconPath(src, tab) },
    { rel: 'apple-touch-icon', href: iconPath(src, homeScreen) },
  ];
}
