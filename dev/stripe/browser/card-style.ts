/** The page's `style` option put on an input, property by property, from a list of what Stripe allows too. */
import { type CardStyle } from './protocol.ts';

type Variant = NonNullable<CardStyle['base']>;

const properties = [
  'backgroundColor',
  'color',
  'fontFamily',
  'fontSize',
  'fontStyle',
  'fontVariant',
  'fontWeight',
  'letterSpacing',
  'lineHeight',
  'padding',
  'textAlign',
  'textDecoration',
  'textShadow',
  'textTransform',
] as const;

const defaultInvalid: Variant = { color: '#eb1c26', iconColor: '#eb1c26' };

interface FieldState {
  complete: boolean;
  empty: boolean;
  isInvalid: boolean;
}

/** The variants that hold for a field now, later ones over earlier ones. */
function variantsFor(input: HTMLInputElement, style: CardStyle, state: FieldState): Variant[] {
  const variants = [
    style.base,
    state.empty ? style.empty : undefined,
    state.complete ? style.complete : undefined,
    state.isInvalid ? { ...defaultInvalid, ...style.invalid } : undefined,
  ].filter((variant) => variant !== undefined);
  const isFocused = input === document.activeElement;
  return variants.flatMap((variant) => [variant, (isFocused && variant[':focus']) || {}]);
}

/** Styles an input, its placeholder and the icon for the state that the field is in. */
export function applyStyle(input: HTMLInputElement, style: CardStyle = {}, state: FieldState): void {
  const variants = variantsFor(input, style, state);
  const merged = variants.reduce<Variant>((all, variant) => ({ ...all, ...variant }), {});
  for (const property of properties) input.style[property] = String(merged[property] ?? '');
  const placeholder = variants.map((variant) => variant['::placeholder']?.color).findLast(Boolean);
  input.style.setProperty('--placeholder-color', placeholder ?? '');
  document.documentElement.style.setProperty('--icon-color', merged.iconColor ?? style.base?.iconColor ?? '');
}
