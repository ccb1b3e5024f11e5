/**
 * Mounts the handlers of a feature. Each call in the feature's table has one handler, which gets the request parsed and
 * validated according to the table.
 */
import type { Context, Hono } from 'hono';
import type { Account } from '#contract/accounts.ts';
import type { AnswerOf, BodyOf, Call, CallName, CallTable, HeadersOf, QueryOf } from '#contract/call.ts';
import { headerNames, splitCallName } from '#contract/call.ts';
import { totalCountHeader } from '#contract/paging.ts';
import { routePattern, type ParamsOf } from '#contract/route-pattern.ts';
import type { Page } from '../db/paging.ts';
import { depsOf, type AppEnv } from './app.ts';
import { check, idempotencyKeyOf, isFormPost, readObject } from './body.ts';
import { toApiError, signInFirst, type ApiError } from './errors.ts';
import { checkFlood } from './flood-limit.ts';

/** The part of a request that every handler gets. */
interface AnyRequest<C extends Call> {
  readonly c: Context<AppEnv>;
  readonly account: C['who'] extends 'anyone' ? Account | undefined : Account;
  readonly body: BodyOf<C>;
  readonly query: QueryOf<C>;
}

/** The request of a call, parsed and validated, with the parameters of its path. */
export type CallRequest<C extends Call, Name extends string> = AnyRequest<C> & HeadersOf<C> & ParamsOf<Name>;

/** What a handler returns. For a plain form, it may be a redirect. */
type Answered<C extends Call> =
  AnswerOf<C> | (C extends { readonly accepts: 'form' | 'one-click' } ? Response : never);

/** The handler of a call. It may return nothing if the call has no output. */
type Handle<C extends Call, Name extends string> = (
  request: CallRequest<C, Name>,
) => Answered<C> | Promise<Answered<C>> | (undefined extends AnswerOf<C> ? Promise<void> : never);

interface FormHandler<C extends Call, Name extends string> {
  readonly handle: Handle<C, Name>;
  /** Responds to a rejected plain form with the error and the typed values. */
  readonly refuse: (
    c: Context<AppEnv>,
    sent: Readonly<Record<string, unknown>>,
    error: ApiError,
  ) => Response | Promise<Response>;
}

type Handler<C extends Call, Name extends string> =
  Handle<C, Name> | (C extends { readonly accepts: 'form' | 'one-click' } ? FormHandler<C, Name> : never);

export type Handlers<T extends CallTable> = { readonly [K in keyof T & CallName]: Handler<T[K], K> };

interface AnyHandler {
  readonly handle: (request: AnyRequest<Call>) => unknown;
  readonly refuse?: FormHandler<Call, ''>['refuse'];
}

/** The headers that a call declares. @throws ApiError 400 if the idempotency key is malformed */
const readHeaders = (c: Context<AppEnv>, { headers = [] }: Call) =>
  Object.fromEntries(
    headers.flatMap((header) => {
      if (header === 'If-None-Match') return [];
      const value = header === 'Idempotency-Key' ? idempotencyKeyOf(c) : c.req.header(header);
      return [[headerNames[header], value] as const];
    }),
  );

async function answerCall(c: Context<AppEnv>, call: Call, handle: AnyHandler['handle'], sent: unknown) {
  const { account } = c.var;
  if (call.who !== 'anyone' && !account) throw signInFirst();
  const request = {
    ...c.req.param(),
    c,
    account,
    query: call.query && check(call.query, c.req.query()),
    body: call.body && check(call.body, sent),
    ...readHeaders(c, call),
  };
  if (call.problems?.includes(429)) await checkFlood(depsOf(c));
  const answer = await handle(request as AnyRequest<Call>);
  if (answer instanceof Response) return answer;
  if (call.answer === undefined) return c.body(null, call.status ?? 204);
  c.status(call.status ?? 200);
  return c.json(answer as object);
}

export function mount<const T extends CallTable>(
  app: Hono<AppEnv>,
  table: T,
  handlers: Handlers<NoInfer<T>>,
): void {
  for (const [name, call] of Object.entries(table) as [keyof T & CallName, Call][]) {
    const [method, path] = splitCallName(name);
    const handler = (handlers as Readonly<Record<typeof name, AnyHandler['handle'] | AnyHandler>>)[name];
    const { handle, refuse }: AnyHandler = typeof handler === 'function' ? { handle: handler } : handler;
    app.on(method, routePattern(path), async (c) => {
      const sent = call.body && (await readObject(c, call.maxBodyBytes));
      try {
        return await answerCall(c, call, handle, sent);
      } catch (error) {
        if (!refuse || !isFormPost(c)) throw error;
        return refuse(c, sent ?? {}, toApiError(error, c));
      }
    });
  }
}

/** Returns the rows of one page of a list, and puts the total into a header. */
export function answerList<Row>(c: Context<AppEnv>, { total, rows }: Page<Row>): Row[] {
  c.header(totalCountHeader, String(total));
  return rows;
}
