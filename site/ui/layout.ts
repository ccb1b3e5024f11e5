/**
 * The class names of the layouts that most components need. A gap is the number of a space in `tokens.css`. A
 * component can pass classes of its own to extend or override the layout.
 */
import { classNames } from './class-names.ts';
import css from './layout.module.css';

type Space = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** The gap between elements, or the row gap and the column gap, as in CSS. */
type Gap = Space | readonly [lines: 0 | 1 | 2 | 3, within: Space];

type Names = readonly (string | undefined)[];

function layout(name: 'stack' | 'row' | 'cluster' | 'columns', gap: Gap, names: Names) {
  const [lines, within] = typeof gap === 'number' ? [undefined, gap] : gap;
  return classNames(
    css[name],
    css[`gap${String(within)}`],
    lines !== undefined && css[`rowGap${String(lines)}`],
    ...names,
  );
}

/** A link, label or button with the minimum size of controls. Its icon and text are in one line. */
export const target = (...names: Names) => classNames('target', ...names);

/** Elements in a column, never wider than the container. */
export const stack = (gap: Space, ...names: Names) => layout('stack', gap, names);

/** Elements in a row, vertically centered. They wrap if they do not fit. */
export const row = (gap: Gap, ...names: Names) => layout('row', gap, names);

/** Elements in a row, as tall as the row. They wrap if they do not fit. */
export const cluster = (gap: Gap, ...names: Names) => layout('cluster', gap, names);

/** Like a row, with the space between the elements. */
export const spread = (gap: Gap, ...names: Names) => row(gap, css['spread'], ...names);

/** As many equal columns as fit. The class can set `--narrowest`, the least width of a column. */
export const columns = (gap: Gap, ...names: Names) => layout('columns', gap, names);

/** A card's border and background. */
export const surface = (...names: Names) => classNames(css['surface'], ...names);
