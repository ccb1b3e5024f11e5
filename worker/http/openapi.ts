/**
 * Describes the API (OpenAPI 3.1, https://spec.openapis.org/oas/v3.1.1.html), derived from the calls of the contract.
 */
import * as z from 'zod';
import type { AnswerOf, Call } from '#contract/call.ts';
import { allCalls, type ListedCall, type systemCalls } from '#contract/all-calls.ts';
import { totalCountHeader } from '#contract/paging.ts';

type Json = Readonly<Record<string, unknown>>;

const problem = {
  type: 'object',
  required: ['title', 'status', 'detail'],
  properties: {
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'string' } },
    requestId: { type: 'string' },
  },
} as const;

const problemTitles = {
  400: 'The body is malformed.',
  401: 'Nobody is signed in, or the password is wrong.',
  403: 'The caller is not in the audience, or the call comes from another site.',
  404: 'There is no such record.',
  409: 'The request conflicts with the current state.',
  411: 'The request has no Content-Length.',
  412: 'Someone else saved a newer version.',
  413: 'The body is too large.',
  422: 'Some fields are not valid; `errors` says which.',
  429: 'Too many attempts; `Retry-After` says how long to wait.',
} as const;

type ProblemStatus = keyof typeof problemTitles;

/** The error statuses that a call may return: those implied by its entry, and those that it lists. */
function problemStatuses({
  method,
  path,
  who,
  query,
  body,
  accepts,
  confirmed,
  problems = [],
}: ListedCall): ProblemStatus[] {
  const isWrite = method !== 'GET';
  return [
    ...(isWrite && accepts !== 'signed' && accepts !== 'one-click' ? ([403] as const) : []),
    ...(who === 'anyone' ? [] : ([401] as const)),
    ...(who === 'anyone' || (who === 'account' && !confirmed) ? [] : ([403] as const)),
    ...(path.includes('/:') ? ([404] as const) : []),
    ...(query ? ([422] as const) : []),
    ...(body || accepts === 'signed' || accepts === 'file' ? ([400, 413, 422] as const) : []),
    ...(accepts === 'bytes' ? ([400, 411, 413] as const) : []),
    ...problems,
  ];
}

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const described = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  // The whole document uses one dialect, OpenAPI's default.
  delete described.$schema;
  return described;
};

function parametersOf({ path, query, headers = [] }: ListedCall): Json[] {
  const fields = query ? Object.entries(query.shape) : [];
  return [
    ...Array.from(path.matchAll(/\/:(\w+)/g), ([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...fields.map(([name, schema]) => ({
      name,
      in: 'query',
      required: !(schema as z.ZodType).safeParse(undefined).success,
      schema: jsonSchema(schema as z.ZodType, 'input'),
    })),
    ...headers.map((name) => ({ name, in: 'header', required: false, schema: { type: 'string' } })),
  ];
}

function contentOf(answer: NonNullable<Call['answer']>): Json {
  if (answer === 'page') return { 'text/html': {} };
  if (typeof answer === 'string') return { [answer]: {} };
  return { 'application/json': { schema: jsonSchema(answer, 'output') } };
}

function responsesOf(call: ListedCall): Json {
  const { answer, accepts, query } = call;
  const isPaged = query !== undefined && 'pageSize' in query.shape;
  const success = call.status ?? (answer === undefined ? 204 : 200);
  const problemContent = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  const problems = problemStatuses(call).map((status): [string, Json] => [
    String(status),
    { description: problemTitles[status], content: problemContent },
  ]);
  return {
    ...(answer !== 'page' && {
      [success]: {
        description: 'Done.',
        ...(isPaged && {
          headers: {
            [totalCountHeader]: {
              description: 'How many records match, over all pages.',
              schema: { type: 'integer' },
            },
          },
        }),
        ...(answer !== undefined && { content: contentOf(answer) }),
      },
    }),
    ...(call.headers?.includes('If-None-Match') && {
      304: { description: 'Not modified since the response with this ETag.' },
    }),
    ...(answer === 'page' && { 302: { description: 'Redirects to a page.' } }),
    ...((accepts === 'form' || accepts === 'one-click' || answer === 'page') && {
      303: { description: 'Redirects a plain form to a page.' },
    }),
    ...Object.fromEntries(problems),
    500: { description: 'Our fault.', content: problemContent },
    503: {
      description: 'Not available right now; `Retry-After` says when to try again.',
      content: problemContent,
    },
  };
}

const fileBody = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: {
          file: { type: 'string', contentMediaType: 'application/octet-stream' },
          alt: { type: 'string' },
        },
      },
    },
  },
} as const;

/** The body of a call that accepts bytes. */
const bytesBody = { required: true, content: { 'application/octet-stream': {} } } as const;

function operationOf(call: ListedCall): Json {
  const { about, who, body, accepts } = call;
  const parameters = parametersOf(call);
  const schema = body && jsonSchema(body, 'input');
  return {
    operationId: call.name,
    summary: about,
    'x-audience': who,
    security: who === 'anyone' ? [] : [{ session: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(accepts === 'file' && { requestBody: fileBody }),
    ...(accepts === 'bytes' && { requestBody: bytesBody }),
    ...(schema && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema },
          ...(accepts === 'form' && { 'application/x-www-form-urlencoded': { schema } }),
        },
      },
    }),
    responses: responsesOf(call),
  };
}

function describePaths(): Record<string, Record<string, Json>> {
  const paths: Record<string, Record<string, Json>> = {};
  for (const call of allCalls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call) };
  }
  return paths;
}

/** Computed once per isolate, because anyone may request it any number of times. */
let paths: ReturnType<typeof describePaths> | undefined;

/** The response of `GET /api/openapi.json`. @param siteUrl the public address of the site */
export function describeApi(siteUrl: string): AnswerOf<(typeof systemCalls)['GET /openapi.json']> {
  paths ??= describePaths();
  return {
    openapi: '3.1.1',
    info: { title: 'Marketing and ordering website', version: '1' },
    servers: [{ url: `${siteUrl}/api` }],
    paths,
    components: {
      schemas: { Problem: problem },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-session' } },
    },
  };
}
