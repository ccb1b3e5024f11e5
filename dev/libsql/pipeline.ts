/** Executes the requests of one pipeline on its stream, in order, each with its own result. */
import { type Arguments, NO_ARGUMENTS, parseOneStatement } from './connection.ts';
import { ProtocolError, SqlError } from './errors.ts';
import {
  type Batch,
  type BatchCondition,
  type ErrorBody,
  type Statement,
  type StatementResult,
  type StreamRequest,
} from './protocol.ts';
import { parseStatements, type SqlStatement } from './sql-text.ts';
import { type Stream } from './streams.ts';
import { sizeOfValue } from './values.ts';

/** The size limit for the rows of one request, over all steps of a batch (Turso's limit). */
const MAX_RESPONSE_BYTES = 10_000_000;

/** What the requests of one pipeline share. `signal` ends a wait for the write lock. */
interface PipelineContext {
  stream: Stream;
  signal: AbortSignal;
}

/**
 * Executes requests and returns their results in the wire format. A failed statement is a result; a request that no
 * correct client sends throws an error.
 * @throws {ProtocolError}
 */
export async function runPipeline(context: PipelineContext, requests: StreamRequest[]): Promise<object[]> {
  const results: object[] = [];
  for (const request of requests) {
    try {
      results.push({ type: 'ok', response: await runRequest(context, request) });
    } catch (error) {
      results.push({ type: 'error', error: toErrorBody(error) });
    }
  }
  return results;
}

async function runRequest(context: PipelineContext, request: StreamRequest): Promise<object> {
  const { stream } = context;
  switch (request.type) {
    case 'execute': {
      const { statement, args } = readStatement(stream, request.stmt);
      requireTransaction(stream);
      const result = await execute(context, statement, args);
      if (sizeOfRows(result) > MAX_RESPONSE_BYTES) throw responseTooLarge();
      return { type: 'execute', result };
    }
    case 'batch':
      return { type: 'batch', result: await runBatch(context, request.batch) };
    case 'sequence': {
      const statements = parseStatements(stream.findSql(request));
      requireTransaction(stream);
      for (const statement of statements) await execute(context, statement, NO_ARGUMENTS);
      return { type: 'sequence' };
    }
    case 'store_sql':
      stream.storeSql(request.sql_id, request.sql);
      return { type: 'store_sql' };
    case 'close_sql':
      stream.closeSql(request.sql_id);
      return { type: 'close_sql' };
    case 'close':
      stream.close();
      return { type: 'close' };
  }
}

/**
 * Runs the steps whose conditions hold. The whole batch is checked before any of it runs.
 * @throws {SqlError} instead of all results, if they are too large; a transaction that the batch opened stays open
 */
async function runBatch(context: PipelineContext, batch: Batch) {
  const results: (StatementResult | null)[] = [];
  const errors: (ErrorBody | null)[] = [];
  let size = 0;
  for await (const { result, error } of runSteps(context, batch)) {
    if (result) size += sizeOfRows(result);
    if (size > MAX_RESPONSE_BYTES) throw responseTooLarge();
    results.push(result);
    errors.push(error);
  }
  return { step_results: results, step_errors: errors };
}

/**
 * Runs a batch and yields the lines of a cursor's response.
 * @throws {ProtocolError}
 */
export async function* runCursor(context: PipelineContext, batch: Batch): AsyncGenerator<object> {
  let step = 0;
  for await (const { result, error } of runSteps(context, batch)) {
    if (result) {
      const { cols, rows, affected_row_count, last_insert_rowid } = result;
      yield { type: 'step_begin', step, cols };
      for (const row of rows) yield { type: 'row', row };
      yield { type: 'step_end', affected_row_count, last_insert_rowid };
    }
    if (error) yield { type: 'step_error', step, error };
    step += 1;
  }
}

/** The result of a step; both are null for a step that its condition skipped. */
interface StepResult {
  readonly result: StatementResult | null;
  readonly error: ErrorBody | null;
}

async function* runSteps(context: PipelineContext, batch: Batch): AsyncGenerator<StepResult> {
  const { stream } = context;
  const steps = batch.steps.map(({ stmt, condition }, index) => {
    if (condition && stepsIn(condition).some((step) => step >= index))
      throw new ProtocolError('Invalid reference to step in a batch condition');
    return { condition, ...readStatement(stream, stmt) };
  });
  const hasTimedOut = stream.takeTimeOut();
  const outcomes: Outcome[] = [];
  for (const { statement, args, condition } of steps) {
    let result: StatementResult | null = null;
    let error: ErrorBody | null = null;
    if (hasTimedOut) {
      error = toErrorBody(transactionTimedOut());
    } else if (!condition || holds(condition, outcomes)) {
      try {
        result = await execute(context, statement, args);
      } catch (failure) {
        error = toErrorBody(failure);
      }
    }
    outcomes.push(result ? 'result' : error ? 'error' : 'none');
    yield { result, error };
  }
}

const execute = ({ stream, signal }: PipelineContext, statement: SqlStatement, args: Arguments) =>
  stream.run((connection) => connection.execute(statement, args), signal);

const sizeOfRows = ({ rows }: StatementResult) =>
  rows.reduce((sum, row) => row.reduce((all, value) => all + sizeOfValue(value), sum), 0);

function readStatement(stream: Stream, stmt: Statement): { statement: SqlStatement; args: Arguments } {
  const named = new Map(stmt.named_args.map(({ name, value }) => [name, value]));
  return { statement: parseOneStatement(stream.findSql(stmt)), args: { positional: stmt.args, named } };
}

/** The steps that a condition refers to. */
function stepsIn(condition: BatchCondition): number[] {
  if ('step' in condition) return [condition.step];
  return 'cond' in condition ? stepsIn(condition.cond) : condition.conds.flatMap(stepsIn);
}

type Outcome = 'result' | 'error' | 'none';

function holds(condition: BatchCondition, outcomes: readonly Outcome[]): boolean {
  switch (condition.type) {
    case 'ok':
      return outcomes[condition.step] === 'result';
    case 'error':
      return outcomes[condition.step] === 'error';
    case 'not':
      return !holds(condition.cond, outcomes);
    case 'and':
      return condition.conds.every((inner) => holds(inner, outcomes));
    case 'or':
      return condition.conds.some((inner) => holds(inner, outcomes));
  }
}

/** @throws {SqlError} if the stream's transaction was rolled back because it was open too long */
function requireTransaction(stream: Stream): void {
  if (stream.takeTimeOut()) throw transactionTimedOut();
}

/** The rows of a request exceed the limit. The request fails as a whole, and the stream continues. */
const responseTooLarge = () => new SqlError('Response is too large', 'RESPONSE_TOO_LARGE');

const transactionTimedOut = () => new SqlError('Transaction timed out', 'TRANSACTION_TIMEOUT');

function toErrorBody(error: unknown): ErrorBody {
  if (!(error instanceof SqlError)) throw error;
  return { message: error.message, code: error.code };
}
