/**
 * The JSON bodies of Hrana over HTTP: the pipeline of version 2, which the official client uses, and the cursor of
 * version 3. Source: https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md
 */
import * as z from 'zod';
import { type WireValue, wireValue } from './values.ts';

const sqlReference = z.object({ sql: z.string().nullish(), sql_id: z.int().nullish() });

const statement = sqlReference.extend({
  args: z.array(wireValue).default([]),
  named_args: z.array(z.object({ name: z.string(), value: wireValue })).default([]),
});

const stepReference = z.int().nonnegative();

/** When a step of a batch runs. `step` is the index of an earlier step. */
export type BatchCondition =
  | { type: 'ok' | 'error'; step: number }
  | { type: 'not'; cond: BatchCondition }
  | { type: 'and' | 'or'; conds: BatchCondition[] };

const batchCondition: z.ZodType<BatchCondition> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.enum(['ok', 'error']), step: stepReference }),
    z.object({ type: z.literal('not'), cond: batchCondition }),
    z.object({ type: z.enum(['and', 'or']), conds: z.array(batchCondition) }),
  ]),
);

const batch = z.object({
  steps: z.array(z.object({ condition: batchCondition.nullish(), stmt: statement })),
});

const streamRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('execute'), stmt: statement }),
  z.object({ type: z.literal('batch'), batch }),
  sqlReference.extend({ type: z.literal('sequence') }),
  z.object({ type: z.literal('store_sql'), sql_id: z.int(), sql: z.string() }),
  z.object({ type: z.literal('close_sql'), sql_id: z.int() }),
  z.object({ type: z.literal('close') }),
]);

/** Reads the body of `POST /v2/pipeline`. Unknown fields are ignored. */
export const pipelineBody = z.object({ baton: z.string().nullish(), requests: z.array(streamRequest) });

/** Reads the body of `POST /v3/cursor`. */
export const cursorBody = z.object({ baton: z.string().nullish(), batch });

/** A text, or the id under which the stream has stored a text. */
export type SqlReference = z.infer<typeof sqlReference>;
export type Statement = z.infer<typeof statement>;
export type Batch = z.infer<typeof batch>;
export type StreamRequest = z.infer<typeof streamRequest>;

/** The result of a statement. `last_insert_rowid` is decimal text after an INSERT, otherwise null. */
export interface StatementResult {
  cols: { name: string; decltype: string | null }[];
  rows: WireValue[][];
  affected_row_count: number;
  last_insert_rowid: string | null;
}

export interface ErrorBody {
  message: string;
  code: string;
}
