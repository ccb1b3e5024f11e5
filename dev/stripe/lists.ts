/** Stripe's lists: pages of newest-first objects, and `expand`, which puts objects where their ids were. */
import { type Call } from './call.ts';
import { missing } from './errors.ts';
import { type Kind, type Page, type State } from './state.ts';

interface ListParameters {
  created?: number | Partial<Record<'gt' | 'gte' | 'lt' | 'lte', number | undefined>> | undefined;
  ending_before?: string | undefined;
  limit: number;
  starting_after?: string | undefined;
}

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** One page of `kind` as Stripe's list object. `fields` names the values that entries may have; none: any. */
export function listPage<K extends Kind>(
  call: Call,
  kind: K,
  url: string,
  given: ListParameters,
  fields: Record<string, string | string[] | undefined> = {},
) {
  const created =
    typeof given.created === 'number' ? { gte: given.created, lte: given.created } : given.created;
  const where: Page['where'] = [];
  for (const [name, sign] of Object.entries(comparisons)) {
    const bound = Object.entries(created ?? {}).find(([key]) => key === name)?.[1];
    if (bound !== undefined) where.push({ condition: `created ${sign} ?`, value: bound });
  }
  for (const [name, wanted = []] of Object.entries(fields))
    if (wanted.length > 0)
      where.push({
        condition: `json_extract(json, '$.${name}') IN (SELECT value FROM json_each(?))`,
        value: JSON.stringify([wanted].flat()),
      });
  const page = call.state.list(kind, {
    limit: given.limit,
    where,
    startingAfter: given.starting_after,
    endingBefore: given.ending_before,
  });
  if (page) return { object: 'list' as const, data: page.data, has_more: page.hasMore, url };
  const param = given.starting_after === undefined ? 'ending_before' : 'starting_after';
  throw missing(kind, given[param] ?? '', param);
}

const kindOfPrefix: Record<string, Kind> = {
  ch: 'charge',
  evt: 'event',
  pi: 'payment_intent',
  pm: 'payment_method',
  re: 'refund',
};

/** `value` with every path of `expand[]` followed: `latest_charge`, `data.latest_charge`, `charge.payment_intent`. */
export function expandPaths(state: State, value: unknown, paths: string[]): unknown {
  return paths.reduce((expanded, path) => expandPath(state, expanded, path.split('.')), value);
}

function expandPath(state: State, value: unknown, [name, ...rest]: string[]): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((entry) => expandPath(state, entry, [name, ...rest]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]: [string, unknown]) => {
      if (key !== name) return [key, child];
      return [key, expandPath(state, findExpanded(state, child), rest)];
    }),
  );
}

function findExpanded(state: State, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const kind = kindOfPrefix[value.split('_')[0] ?? ''];
  return kind ? (state.get(kind, value) ?? value) : value;
}
