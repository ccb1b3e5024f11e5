/** The field for an accent color: a picker, a preview in both schemes, and the nearest color with enough contrast. */
import type { ComponentProps } from 'react';
import { accentProblem, contrastOf, isHexColor, nearestAccent, paletteOf } from '#contract/colors.ts';
import { Button } from '#site/ui/button.tsx';
import { classNames } from '#site/ui/class-names.ts';
import { Field } from '#site/ui/field.tsx';
import { row, stack } from '#site/ui/layout.ts';
import css from './color-field.module.css';
import groupCss from './field-input.module.css';

interface ColorFieldProps extends ComponentProps<typeof Field> {
  readonly value: string;
  readonly onChoose: (color: string) => void;
}

export function ColorField({ value, onChoose, ...field }: ColorFieldProps) {
  const color = value.trim();
  const isColor = isHexColor(color);
  const problem = isColor ? accentProblem(color) : undefined;
  const nearest = isColor ? nearestAccent(color) : undefined;
  return (
    <div className={stack(1)}>
      <Field
        {...field}
        value={value}
        spellCheck={false}
        autoCapitalize="none"
        trailing={
          <input
            type="color"
            className={css['picker']}
            aria-label={`Pick: ${field.label}`}
            value={isColor ? color : '#000000'}
            onChange={({ target }) => onChoose(target.value)}
          />
        }
      />
      <p className={classNames('note warning', groupCss['note'])} aria-live="polite">
        {field.error ? undefined : problem}
      </p>
      {problem && nearest && (
        <div className={row(2)}>
          <Button variant="secondary" size="small" onClick={() => onChoose(nearest)}>
            Use {nearest}
          </Button>
        </div>
      )}
      {nearest && (
        <div className={row(2)}>
          <Sample accent={nearest} scheme="light" />
          <Sample accent={nearest} scheme="dark" />
        </div>
      )}
    </div>
  );
}

/** A link and a button in the color, in one scheme. */
function Sample({ accent, scheme }: { readonly accent: string; readonly scheme: 'light' | 'dark' }) {
  const palette = paletteOf(accent, scheme);
  const contrast = Math.floor(10 * contrastOf(palette.accent, palette.paper)) / 10;
  return (
    <span className={row(3, css['sample'])} style={{ background: palette.paper, color: palette.accent }}>
      {scheme === 'light' ? 'Light' : 'Dark'}, {contrast} to 1
      <span className={css['button']} style={{ background: palette.accent, color: palette['on-accent'] }}>
        Button
      </span>
    </span>
  );
}
