/**
 * Parses SQL text just far enough to find what the engine's JavaScript interface does not report: where statements
 * begin and end, what a statement does, and which parameters it has. Given several statements, the engine would run the
 * first and silently drop the rest.
 */

export interface SqlStatement {
  /** The statement without its semicolon. */
  text: string;
  /** Its tokens without spaces and comments, words in lowercase. */
  tokens: string[];
  /**
   * Its first word in lowercase, such as `insert`. For a statement that begins with WITH, the verb that follows.
   */
  verb: string;
  /** Its parameters in SQLite's numbering: a name with its prefix (`:id`, `?2`), or null for a plain `?`. */
  parameters: (string | null)[];
}

// A quoted text with a doubled quote is read as two adjacent texts, which does no harm here.
const TOKEN =
  /'[^']*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[a-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d[\w.]*|\?\d*|[:@#$][\w$\u0080-\uffff]+|\s+|[\s\S]/gi;
const SPACE = /^(?:\s|--|\/\*)/;
const WORD = /^[a-z_\u0080-\uffff]/i;
const PARAMETER = /^(?:\?|[:@#$].)/;
const TRIGGER = /^(?:explain )?create (?:temp |temporary )?trigger\b/;
const WITH_LEADS_TO = new Set(['select', 'values', 'insert', 'replace', 'update', 'delete']);

/** Splits a text into its statements, without comments and empty statements. */
export function parseStatements(sql: string): SqlStatement[] {
  const statements: SqlStatement[] = [];
  let tokens: string[] = [];
  let start = 0;
  const finish = (end: number) => {
    const text = sql.slice(start, end).trim();
    if (tokens.length > 0)
      statements.push({ text, tokens, verb: verbOf(tokens), parameters: parametersOf(tokens) });
    tokens = [];
    start = end + 1;
  };
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (SPACE.test(token)) continue;
    if (token === ';' && endsAtSemicolon(tokens)) finish(index);
    else tokens.push(WORD.test(token) ? token.toLowerCase() : token);
  }
  finish(sql.length);
  return statements;
}

/** Whether a semicolon after these tokens ends their statement. The body of a trigger ends with `; END`. */
const endsAtSemicolon = (tokens: readonly string[]): boolean =>
  !TRIGGER.test(tokens.slice(0, 4).join(' ')) || tokens.slice(-2).join(' ') === '; end';

function verbOf(tokens: readonly string[]): string {
  const first = tokens.find((token) => WORD.test(token)) ?? '';
  if (first !== 'with') return first;
  let depth = 0;
  for (const token of tokens) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (depth === 0 && WITH_LEADS_TO.has(token)) return token;
  }
  return first;
}

function parametersOf(tokens: readonly string[]): (string | null)[] {
  const parameters: (string | null)[] = [];
  for (const token of tokens) {
    const number = Number(/^\?(\d+)$/.exec(token)?.[1] ?? 0);
    if (number > 0) {
      while (parameters.length < number) parameters.push(null);
      // A number that already has a name refers to that same parameter.
      parameters[number - 1] ??= token;
    } else if (token === '?') parameters.push(null);
    else if (PARAMETER.test(token) && !parameters.includes(token)) parameters.push(token);
  }
  return parameters;
}
