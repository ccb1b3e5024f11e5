/** The one interpreter of `:id` and `:revision` in the paths of calls and screens. */
import { idPattern } from './ids.ts';

const parts = { id: idPattern, revision: '[0-9]{1,9}' } as const;
const placeholder = /:(id|revision)/;

/** A path as Hono matches it: an id matches only an id, never an arbitrary word. */
export const routePattern = (path: string): string =>
  path.replace(placeholder, (whole, name: keyof typeof parts) => `${whole}{${parts[name]}}`);

/** A path as a regular expression's source; what stands for the placeholder is the group `id`. */
export const pathSource = (path: string): string =>
  path.replaceAll('.', '\\.').replace(placeholder, (_, name: keyof typeof parts) => `(?<id>${parts[name]})`);

/** A path with its id filled in. */
export const fillPath = (path: string, id: string): string =>
  path.replace(placeholder, encodeURIComponent(id));
