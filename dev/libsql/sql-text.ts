/**
 * Parses SQL text just far enough to find what the engine's JavaScript interface does not report: where statements
 * begin and end, what a statement does, and which parameters it has. Given several statements, the engine would run the
 * first and silently drop the rest.
 */

export interface SqlStatement {
  /** The statement without its semicolon. */
  text: string;
  /**
   * Its first word in lowercase, such as `insert`. For a statement that begins with WITH, the verb that follows.
   */
  verb: string;
  /** Its parameters in SQLite's numbering: a name with its prefix (`:id`, `?2`), or null for a plain `?`. */
  parameters: (string | null)[];
}

// A quoted text that contains a doubled quote reads as two adjacent texts, which does no harm here.
const TOKEN =
  /'[^']*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[a-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d[\w.]*|\?\d*|[:@#$][\w$\u0080-\uffff]+|\s+|[\s\S]/gi;
const SPACE = /^(?:\s|--|\/\*)/;
const WORD = /^[a-z_\u0080-\uffff]/i;
const PARAMETER = /^(?:\?|[:@#$].)/;
const TRIGGER = /^(?:explain )?create (?:temp |temporary )?trigger$/;
const WITH_LEADS_TO = new Set(['select', 'values', 'insert', 'replace', 'update', 'delete']);

/** The tokens of a statement without spaces and comments, words in lowercase. */
export const tokensOf = (text: string): string[] =>
  Array.from(text.matchAll(TOKEN), ([token]) => (WORD.test(token) ? token.toLowerCase() : token)).filter(
    (token) => !SPACE.test(token) && token !== ';',
  );

/** Splits a text into its statements, without comments and empty statements. */
export function parseStatements(sql: string): SqlStatement[] {
  const statements: SqlStatement[] = [];
  let reader = new StatementReader();
  let start = 0;
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (SPACE.test(token)) continue;
    if (token === ';' && reader.endsAtSemicolon()) {
      if (!reader.isEmpty) statements.push(reader.finish(sql.slice(start, index)));
      reader = new StatementReader();
      start = index + 1;
    } else {
      reader.read(token);
    }
  }
  if (!reader.isEmpty) statements.push(reader.finish(sql.slice(start)));
  return statements;
}

class StatementReader {
  isEmpty = true;
  #verb = '';
  #opening: string[] = [];
  #parameters: (string | null)[] = [];
  #depth = 0;
  #isTrigger = false;
  /** The last tokens that matter inside a trigger, whose body ends with `; END ;`. */
  #tail = '';

  read(token: string): void {
    this.isEmpty = false;
    if (PARAMETER.test(token)) this.#addParameter(token);
    else if (token === '(') this.#depth += 1;
    else if (token === ')') this.#depth -= 1;
    const word = WORD.test(token) ? token.toLowerCase() : token;
    if (WORD.test(token)) this.#readWord(word);
    this.#tail = word === 'end' && this.#tail === ';' ? ';end' : word;
  }

  endsAtSemicolon(): boolean {
    return !this.#isTrigger || this.#tail === ';end';
  }

  finish(text: string): SqlStatement {
    return { text: text.trim(), verb: this.#verb, parameters: this.#parameters };
  }

  #readWord(word: string): void {
    if (this.#opening.length < 4) {
      this.#opening.push(word);
      this.#isTrigger ||= TRIGGER.test(this.#opening.join(' '));
    }
    if (this.#verb === '' || (this.#verb === 'with' && this.#depth === 0 && WITH_LEADS_TO.has(word)))
      this.#verb = word;
  }

  #addParameter(token: string): void {
    if (token === '?') {
      this.#parameters.push(null);
    } else if (token.startsWith('?')) {
      const number = Number(token.slice(1));
      while (this.#parameters.length < number) this.#parameters.push(null);
      // A number that already has a name refers to that same parameter.
      this.#parameters[number - 1] ??= token;
    } else if (!this.#parameters.includes(token)) {
      this.#parameters.push(token);
    }
  }
}
