/**
 * The class names of the layouts that most components need. A gap is the number of a space in `tokens.css`. An
 * optional class of the component adds to the layout, or changes it.
 */
import { classNames } from './class-names.ts';
import css from './layout.module.css';

type Space = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** The gap between elements, or the one between lines and the one within a line, as in CSS. */
type Gap = Space | readonly [lines: 0 | 1 | 2 | 3, within: Space];

function layout(name: 'stack' | 'row' | 'cluster' | 'columns', gap: Gap, className: string | undefined) {
  const [lines, within] = typeof gap === 'number' ? [undefined, gap] : gap;
  return classNames(
    css[name],
    css[`gap${String(within)}`],
    lines !== undefined && css[`rowGap${String(lines)}`],
    className,
  );
}

/** A link, label or button with the minimum size of controls. An icon is beside its text. */
export const target = (className?: string) => classNames('target', className);

/** Below each other, never wider than the container. */
export const stack = (gap: Space, className?: string) => layout('stack', gap, className);

/** Beside each other, centered on the line. What does not fit wraps. */
export const row = (gap: Gap, className?: string) => layout('row', gap, className);

/** Beside each other, as tall as the line. What does not fit wraps. */
export const cluster = (gap: Gap, className?: string) => layout('cluster', gap, className);

/** Like a row, with the space between the elements. */
export const spread = (gap: Gap, className?: string) => row(gap, classNames(css['spread'], className));

/** As many equal columns as fit. The class can set `--narrowest`, the least width of a column. */
export const columns = (gap: Gap, className?: string) => layout('columns', gap, className);

/** A card's border and background. */
export const surface = (className?: string) => classNames(css['surface'], className);
