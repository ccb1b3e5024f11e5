/**
 * The class names of the layouts that most components need. A gap is the number of a space in `tokens.css`. A
 * component can pass its own class to extend or override the layout.
 */
import { classNames } from './class-names.ts';
import css from './layout.module.css';

type Space = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** The gap between elements, or the row gap and the column gap, as in CSS. */
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

/** A link, label or button with the minimum size of controls. Its icon and text are in one line. */
export const target = (className?: string) => classNames('target', className);

/** Elements in a column, never wider than the container. */
export const stack = (gap: Space, className?: string) => layout('stack', gap, className);

/** Elements in a row, vertically centered. They wrap if they do not fit. */
export const row = (gap: Gap, className?: string) => layout('row', gap, className);

/** Elements in a row, as tall as the row. They wrap if they do not fit. */
export const cluster = (gap: Gap, className?: string) => layout('cluster', gap, className);

/** Like a row, with the space between the elements. */
export const spread = (gap: Gap, className?: string) => row(gap, classNames(css['spread'], className));

/** As many equal columns as fit. The class can set `--narrowest`, the least width of a column. */
export const columns = (gap: Gap, className?: string) => layout('columns', gap, className);

/** A card's border and background. */
export const surface = (className?: string) => classNames(css['surface'], className);
