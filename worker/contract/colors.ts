/**
 * The site's colors in both schemes, computed from the firm's accent color. They keep the lightness of the colors in
 * `site/styles/tokens.css` and take the hue of the accent. Text keeps the contrast that WCAG AA requires.
 */

/** Lightness from 0 to 1, chroma, and hue in radians. https://bottosson.github.io/posts/oklab/ */
interface Oklch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

type Rgb = readonly [red: number, green: number, blue: number];

export type Scheme = 'light' | 'dark';

/** The accent color in `site/styles/tokens.css`. */
export const defaultAccent = '#00684a';

/** The colors in `site/styles/tokens.css` that follow the accent: the light scheme, then the dark one. */
export const referenceColors = {
  paper: ['#fafbf9', '#0b1411'],
  surface: ['#ffffff', '#111d18'],
  sunken: ['#f0f4f1', '#0f1915'],
  ink: ['#10211b', '#e8f0ec'],
  'ink-soft': ['#4a5a53', '#a6b7ae'],
  line: ['#d8e0da', '#25342d'],
  'line-strong': ['#7b8a82', '#6c7f75'],
  accent: [defaultAccent, '#63d8a6'],
  'accent-strong': ['#004f38', '#8be7bf'],
  'accent-soft': ['#ddf1e7', '#12352a'],
  'on-accent': ['#ffffff', '#05211a'],
  deep: ['#0c2a20', '#12291f'],
  'deep-raised': ['#14382c', '#1a3629'],
  'deep-line': ['#2c4c40', '#315042'],
  'on-deep': ['#f1f7f3', '#f1f7f3'],
  'on-deep-soft': ['#b4c9be', '#b4c9be'],
  'deep-accent': ['#7fe0b4', '#7fe0b4'],
  'on-deep-accent': ['#06231a', '#06231a'],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

export type ColorName = keyof typeof referenceColors;
type Palette = Readonly<Record<ColorName, string>>;

const colorNames = Object.keys(referenceColors) as ColorName[];

/** Whether a text is a six-digit hex color, such as `#1a4fd6`. */
export const isHexColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

const toLinear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
const fromLinear = (channel: number): number =>
  channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055;

function linearOf(hex: string): Rgb {
  const channel = (at: number) => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return [channel(1), channel(3), channel(5)];
}

function toOklch(hex: string): Oklch {
  const [r, g, b] = linearOf(hex);
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  const first = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const second = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return { l, c: Math.hypot(first, second), h: Math.atan2(second, first) };
}

function toLinearRgb({ l, c, h }: Oklch): Rgb {
  const [first, second] = [c * Math.cos(h), c * Math.sin(h)];
  const long = (l + 0.3963377774 * first + 0.2158037573 * second) ** 3;
  const medium = (l - 0.1055613458 * first - 0.0638541728 * second) ** 3;
  const short = (l - 0.0894841775 * first - 1.291485548 * second) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

/** The color as screens can show it. If it is too vivid, its chroma is reduced. */
function toHex({ l, c, h }: Oklch): string {
  const lightness = Math.min(1, Math.max(0, l));
  let chroma = c;
  let rgb = toLinearRgb({ l: lightness, c: chroma, h });
  const isShown = () => rgb.every((channel) => channel >= -0.0005 && channel <= 1.0005);
  while (chroma > 0 && !isShown()) {
    chroma = Math.max(0, chroma - 0.004);
    rgb = toLinearRgb({ l: lightness, c: chroma, h });
  }
  const digits = rgb.map((channel) =>
    Math.round(255 * fromLinear(Math.min(1, Math.max(0, channel))))
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${digits.join('')}`;
}

/** The relative luminance, from 0 to 1. https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf(hex: string): number {
  const [red, green, blue] = linearOf(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colors, from 1 to 21. https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The contrast that WCAG AA requires for text, and for the edges of controls. */
export const textContrast = 4.5;
const edgeContrast = 3;

/**
 * The color, or the nearest lighter or darker one that has enough contrast with all backgrounds. `step` is the change
 * in lightness per iteration. The search ends at black or white.
 */
function moveUntilReadable(
  hex: string,
  grounds: readonly string[],
  step: number,
  wanted = textContrast,
): string {
  const start = toOklch(hex);
  let color = hex;
  for (let l = start.l; grounds.some((ground) => contrastOf(color, ground) < wanted) && l > 0 && l < 1;) {
    l = Math.min(1, Math.max(0, l + step));
    color = toHex({ ...start, l });
  }
  return color;
}

const lighter = 0.005;
const darker = -0.005;

/** The named reference color with the hue of the accent, and less chroma if the accent has less. */
function tinted(name: ColorName, scheme: Scheme, accent: Oklch): Oklch {
  const reference = toOklch(referenceColors[name][scheme === 'light' ? 0 : 1]);
  const base = toOklch(defaultAccent);
  return {
    l: reference.l,
    c: reference.c * Math.min(1.25, accent.c / base.c),
    h: accent.h + reference.h - base.h,
  };
}

/** The palette before its contrasts are checked. In the light scheme, the accent is exactly the firm's color. */
function tintedPalette(accent: string, scheme: Scheme): Record<ColorName, string> {
  const origin = toOklch(accent);
  const colors = Object.fromEntries(
    colorNames.map((name) => [name, toHex(tinted(name, scheme, origin))]),
  ) as Record<ColorName, string>;
  if (scheme === 'dark') return colors;
  // Hovering makes the accent darker, or lighter if it is almost black.
  const change = origin.l > 0.35 ? -0.09 : 0.12;
  return { ...colors, accent, 'accent-strong': toHex({ ...origin, l: origin.l + change }) };
}

/** @param accent a color that `accentProblem` accepts */
export function paletteOf(accent: string, scheme: Scheme): Palette {
  const colors = tintedPalette(accent.toLowerCase(), scheme);
  const isLight = scheme === 'light';
  const [towardText, towardGround] = isLight ? [darker, lighter] : [lighter, darker];
  // A light accent leaves less room for tinted backgrounds.
  const grounded = (name: ColorName) => moveUntilReadable(colors[name], [colors.accent], towardGround);
  const sunken = grounded('sunken');
  const soft = grounded('accent-soft');
  const grounds = [colors.paper, colors.surface, sunken];
  const accentText = moveUntilReadable(colors.accent, [...grounds, soft], towardText);
  const deepGrounds = [colors.deep, colors['deep-raised']];
  const onDeep = (name: ColorName) => moveUntilReadable(colors[name], deepGrounds, lighter);
  const deepAccent = onDeep('deep-accent');
  const onAccent = colors['on-accent'];
  return {
    ...colors,
    sunken,
    'accent-soft': soft,
    accent: accentText,
    'accent-strong': moveUntilReadable(colors['accent-strong'], grounds, towardText),
    'on-accent': moveUntilReadable(onAccent, [accentText, colors['accent-strong']], towardGround),
    ink: moveUntilReadable(colors.ink, [...grounds, soft], towardText),
    'ink-soft': moveUntilReadable(colors['ink-soft'], [...grounds, soft], towardText),
    'line-strong': moveUntilReadable(colors['line-strong'], grounds, towardText, edgeContrast),
    'on-deep': onDeep('on-deep'),
    'on-deep-soft': onDeep('on-deep-soft'),
    'deep-accent': deepAccent,
    'on-deep-accent': moveUntilReadable(colors['on-deep-accent'], [deepAccent], darker),
  };
}

/**
 * The backgrounds on which an accent must be readable: the paper of the light scheme, and white. The dark scheme shows
 * a lighter tone.
 */
const grounds = (accent: string) => [tintedPalette(accent, 'light').paper, '#ffffff'];

/** The nearest color that can be an accent: the color itself, or a darker one of the same hue. */
export function nearestAccent(color: string): string {
  let nearest = color.toLowerCase();
  // The paper has the hue too, so a darker color is checked against its own paper.
  for (let before = ''; before !== nearest;) {
    before = nearest;
    nearest = moveUntilReadable(nearest, grounds(nearest), darker);
  }
  return nearest;
}

/**
 * A sentence that says why a color cannot be an accent, with the nearest one that can.
 * @returns undefined if it can
 */
export function accentProblem(color: string): string | undefined {
  if (!isHexColor(color)) return 'Use a six-digit color, such as #1a4fd6.';
  const nearest = nearestAccent(color);
  if (nearest === color.toLowerCase()) return undefined;
  const contrast =
    Math.floor(10 * Math.min(...grounds(color).map((ground) => contrastOf(color, ground)))) / 10;
  return `Text in this color is hard to read on a light page: its contrast is ${contrast} to 1, and 4.5 to 1 is needed. The nearest color that works is ${nearest}.`;
}

const declarations = (palette: Palette): string =>
  colorNames.map((name) => `--${name}:${palette[name]}`).join(';');

/**
 * The style sheet for an accent. Its selector is more specific than that of `site/styles/tokens.css`, so its place on
 * the page does not matter.
 */
export function accentRules(accent: string): string {
  const [light, dark] = (['light', 'dark'] as const).map((scheme) => declarations(paletteOf(accent, scheme)));
  return `html:root{${light}}@media screen and (prefers-color-scheme:dark){html:root{${dark}}}`;
}

/**
 * Like `accentRules`, but empty for the accent of `tokens.css`, which needs no rules, and for a text that is not an
 * accent.
 */
export const accentStyles = (accent: string): string =>
  accent.toLowerCase() === defaultAccent || accentProblem(accent) !== undefined ? '' : accentRules(accent);
