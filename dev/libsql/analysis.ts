/**
 * Rejects statements that Turso's server rejects although SQLite supports them. The server analyzes every statement
 * before SQLite does. Source: libsql-server/src/query_analysis.rs, and the grammar of its parser, which is older than
 * SQLite's own.
 */
import { SqlError } from './errors.ts';
import { type SqlStatement } from './sql-text.ts';

const allowedVerbs = new Set(
  'begin commit end rollback savepoint release create drop alter select values insert replace update delete pragma explain'.split(
    ' ',
  ),
);

/** Pragmas that are also allowed with arguments; the server knows more. */
const allowedPragmas = new Set(
  (
    'table_list index_list table_info table_xinfo index_xinfo database_list defer_foreign_keys foreign_keys foreign_key_list ' +
    'foreign_key_check integrity_check page_count quick_check user_version'
  ).split(' '),
);

/** Pragmas that may be read but not set; the server knows more. */
const readablePragmas = new Set(
  'auto_vacuum busy_timeout journal_mode page_size schema_version synchronous'.split(' '),
);

function isPragmaAllowed([name = '', ...body]: readonly string[]): boolean {
  if (body[0] === '.') return isPragmaAllowed(body.slice(1));
  return allowedPragmas.has(name) || (readablePragmas.has(name) && body.length === 0);
}

/** Words that may come before a bracket that contains an ORDER BY, but are not functions. */
const noFunctions = new Set('as over in exists from join not and or when then else'.split(' '));

/** Whether an aggregate orders its input, like `group_concat(name ORDER BY name)`. */
function ordersAggregate(tokens: readonly string[]): boolean {
  const calls: boolean[] = [];
  for (const [index, token] of tokens.entries()) {
    const [before = '', after = ''] = [tokens[index - 1], tokens[index + 1]];
    if (token === '(')
      calls.push(/^\w+$/.test(before) && !noFunctions.has(before) && !/^(?:select|with|values)$/.test(after));
    else if (token === ')') calls.pop();
    else if (token === 'order' && after === 'by' && calls.at(-1)) return true;
  }
  return false;
}

/** @throws {SqlError} for a statement that the server's analysis refuses */
export function refuseUnsupported({ text, tokens, verb }: SqlStatement): void {
  const pragma = verb === 'pragma' ? 1 : verb === 'explain' && tokens[1] === 'pragma' ? 2 : 0;
  const isTemporary = verb === 'create' && /^temp(?:orary)?$/.test(tokens[1] ?? '');
  if (!allowedVerbs.has(verb) || isTemporary || (pragma > 0 && !isPragmaAllowed(tokens.slice(pragma))))
    throw new SqlError(`SQL string could not be parsed: unsupported statement: ${text}`, 'SQL_PARSE_ERROR');
  if (ordersAggregate(tokens))
    throw new SqlError('SQL string could not be parsed: near "ORDER": syntax error', 'SQL_PARSE_ERROR');
}
