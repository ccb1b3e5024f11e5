/**
 * The one interpreter of the placeholders `:id` and `:revision`, and of a second id, in the paths of calls and screens.
 */
import { idPattern } from './ids.ts';

const parts = { id: idPattern, change: idPattern, revision: '[0-9]{1,9}' } as const;
const placeholder = /:(id|change|revision)/g;

/** Whether a path has a placeholder. */
export type HasId<P extends string> = P extends `${string}/:${string}` ? true : false;

/** The value for the placeholder of a path, or both values if it has two. */
export type IdsOf<P extends string> = P extends `${string}/:${string}/:${string}`
  ? readonly [id: string, second: string]
  : string;

/** What a path has in it, by name: `id`, `change` or `revision`. */
export type ParamsOf<P extends string> = P extends `${string}/:${infer Name}/${infer Rest}`
  ? Readonly<Record<Name, string>> & ParamsOf<`/${Rest}`>
  : P extends `${string}/:${infer Name}`
    ? Readonly<Record<Name, string>>
    : unknown;

/** A path as Hono matches it: an id matches only an id, never an arbitrary word. */
export const routePattern = (path: string): string =>
  path.replace(placeholder, (whole, name: keyof typeof parts) => `${whole}{${parts[name]}}`);

/** A path as the source of a regular expression; each placeholder is a group, for a revision too named `id`. */
export const pathSource = (path: string): string =>
  path
    .replaceAll('.', '\\.')
    .replace(
      placeholder,
      (_, name: keyof typeof parts) => `(?<${name === 'revision' ? 'id' : name}>${parts[name]})`,
    );

/** A path without the slash at its end, which makes no difference to the page that is found. */
export const withoutSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;

/** A path with its id filled in, or with each of its ids in turn. */
export function fillPath(path: string, id: string | readonly string[]): string {
  const ids = typeof id === 'string' ? [id] : [...id];
  return path.replace(placeholder, () => encodeURIComponent((ids.length > 1 ? ids.shift() : ids[0]) ?? ''));
}
