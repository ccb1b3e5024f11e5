/**
 * Interprets the placeholders `:id`, `:change` and `:revision` in the paths of calls and screens.
 */
import { idPattern } from './ids.ts';

const parts = { id: idPattern, change: idPattern, revision: '[0-9]{1,9}' } as const;
const placeholder = /:(id|change|revision)/g;

export type HasId<P extends string> = P extends `${string}/:${string}` ? true : false;

/** The value for the placeholder in a path, or both values if it has two. */
export type IdsOf<P extends string> = P extends `${string}/:${string}/:${string}`
  ? readonly [id: string, second: string]
  : string;

/** The parameters of a path, by name: `id`, `change` or `revision`. */
export type ParamsOf<P extends string> = P extends `${string}/:${infer Name}/${infer Rest}`
  ? Readonly<Record<Name, string>> & ParamsOf<`/${Rest}`>
  : P extends `${string}/:${infer Name}`
    ? Readonly<Record<Name, string>>
    : unknown;

/** A path as a Hono pattern. `:id` matches only an id, never an arbitrary word. */
export const routePattern = (path: string): string =>
  path.replace(placeholder, (whole, name: keyof typeof parts) => `${whole}{${parts[name]}}`);

/** A path as the source of a regular expression. Each placeholder is a group of that name. */
export const pathSource = (path: string): string =>
  path
    .replaceAll('.', '\\.')
    .replace(placeholder, (_, name: keyof typeof parts) => `(?<${name}>${parts[name]})`);

/** Removes a trailing slash, which makes no difference when looking up a page. */
export const withoutSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;

/** Fills in the placeholders of a path. @param id the value for all of them, or one value for each */
export function fillPath(path: string, id: string | readonly string[]): string {
  let index = 0;
  return path.replace(placeholder, () =>
    encodeURIComponent((typeof id === 'string' ? id : id[index++]) ?? ''),
  );
}
