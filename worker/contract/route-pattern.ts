/** The one interpreter of `:id` and `:revision` in the paths of calls and screens. */
import { idPattern } from './ids.ts';

const parts = { id: idPattern, revision: '[0-9]{1,9}' } as const;
const placeholder = /:(id|revision)/;

/** Whether a path stands for many: it has an id or a revision in it. */
export type HasId<P extends string> = P extends `${string}/:${string}` ? true : false;

/** A path as Hono matches it: an id matches only an id, never an arbitrary word. */
export const routePattern = (path: string): string =>
  path.replace(placeholder, (whole, name: keyof typeof parts) => `${whole}{${parts[name]}}`);

/** A path as a regular expression's source; what stands for the placeholder is the group `id`. */
export const pathSource = (path: string): string =>
  path.replaceAll('.', '\\.').replace(placeholder, (_, name: keyof typeof parts) => `(?<id>${parts[name]})`);

/** A path without the slash at its end, which makes no difference to the page that is found. */
export const withoutSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;

/** A path with its id filled in. */
export const fillPath = (path: string, id: string): string =>
  path.replace(placeholder, encodeURIComponent(id));
