/**
 * Checks whether a browser can draw an SVG. A browser reads it as XML with namespaces and draws nothing of a file
 * that breaks a rule of either (https://www.w3.org/TR/xml/#dt-fatal, https://www.w3.org/TR/xml-names/#ns-decl).
 * The time grows linearly with the length of the file, because each position is read once.
 */

const svgNamespace = 'http://www.w3.org/2000/svg';

class Fault extends Error {
  readonly at: number;

  /**
   * @param reason the rest of a sentence that begins with a line of the file
   * @param at position in the text
   */
  constructor(reason: string, at: number) {
    super(reason);
    this.at = at;
  }
}

const part = String.raw`[A-Za-z_\u00c0-\uffff][\w.\-\u00b7-\uffff]*`;
const name = `(?:${part}:)?${part}`;
const startTag = new RegExp(`<(${name})`, 'y');
const endTag = new RegExp(String.raw`</(${name})\s*>`, 'y');
const attribute = new RegExp(String.raw`\s+(${name})\s*=\s*(?:"([^<"]*)"|'([^<']*)')`, 'y');
const attributeName = new RegExp(String.raw`\s+(${name})`, 'y');
const tagEnd = /\s*(\/?)>/y;

/** Matches a pattern at one position. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Matches entities other than those that XML defines itself and character references. */
const unknownEntity = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)([^\s;<&"']{0,30};?)/i;

/**
 * @param at position of the text in the file
 * @throws Fault
 */
function checkEntities(text: string, at: number): void {
  const found = unknownEntity.exec(text);
  if (!found) return;
  const [, named = ''] = found;
  throw new Fault(
    named.endsWith(';')
      ? `uses &${named}, which no SVG knows: write the character itself`
      : 'has a lone & sign: write &amp;',
    at + found.index,
  );
}

const prefixOf = (name: string): string => (name.includes(':') ? name.slice(0, name.indexOf(':')) : '');

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly isEmpty: boolean;
  /** Position after the tag. */
  readonly end: number;
}

/** @throws Fault */
function readTag(text: string, at: number): Tag {
  const [opening, name = ''] = matchAt(startTag, text, at) ?? [];
  if (opening === undefined) throw new Fault('has a lone < sign: write &lt;', at);
  const attributes = new Map<string, string>();
  let end = at + opening.length;
  for (let found = matchAt(attribute, text, end); found; found = matchAt(attribute, text, end)) {
    const [whole, key = '', value = found[3] ?? ''] = found;
    if (attributes.has(key)) throw new Fault(`says “${key}” twice in one <${name}>`, end);
    checkEntities(value, end);
    attributes.set(key, value);
    end += whole.length;
  }
  const closing = matchAt(tagEnd, text, end);
  if (closing) return { name, attributes, isEmpty: closing[1] === '/', end: end + closing[0].length };
  const [, key] = matchAt(attributeName, text, end) ?? [];
  throw new Fault(
    key === undefined
      ? `has a <${name}> that does not end with >`
      : `has a “${key}” in <${name}> whose value stands in no quotation marks`,
    end,
  );
}

/** The open elements, and the prefixes that they declare. */
class Elements {
  readonly #open: { readonly name: string; readonly declared: readonly string[]; readonly at: number }[] = [];
  /** Maps a prefix to the number of open elements that declare it. */
  readonly #prefixes = new Map([
    ['xml', 1],
    ['xmlns', 1],
  ]);
  #hasRoot = false;

  /** @throws Fault */
  begin({ name, attributes, isEmpty }: Tag, at: number): void {
    if (!this.#hasRoot && name !== 'svg') throw new Fault(`writes <${name}> for <svg>`, at);
    if (!this.#hasRoot && attributes.get('xmlns') !== svgNamespace)
      throw new Fault(`does not say xmlns="${svgNamespace}" in its <svg>`, at);
    if (this.#hasRoot && this.#open.length === 0) throw new Fault('goes on after </svg>', at);
    this.#hasRoot = true;
    const declared = Array.from(attributes.keys())
      .filter((key) => key.startsWith('xmlns:'))
      .map((key) => key.slice('xmlns:'.length));
    this.#count(declared, 1);
    for (const used of [name, ...attributes.keys()]) {
      const prefix = prefixOf(used);
      if (prefix !== '' && !(this.#prefixes.get(prefix) ?? 0))
        throw new Fault(`uses “${used}”, but no xmlns:${prefix} says what “${prefix}” is`, at);
    }
    this.#open.push({ name, declared, at });
    if (isEmpty) this.end(name, at);
  }

  /** @throws Fault */
  end(name: string, at: number): void {
    const last = this.#open.pop();
    if (last?.name !== name)
      throw new Fault(
        `closes <${name}>${last ? ` while <${last.name}> is open` : ', which is not open'}`,
        at,
      );
    this.#count(last.declared, -1);
  }

  /** @throws Fault */
  checkText(text: string, at: number): void {
    if (this.#open.length === 0 && text.trim().replace('\uFEFF', '') !== '')
      throw new Fault('has text outside its <svg>', at);
    checkEntities(text, at);
  }

  /** @throws Fault */
  checkAllEnded(): void {
    const last = this.#open.at(-1);
    if (last) throw new Fault(`opens a <${last.name}> that nothing closes`, last.at);
  }

  #count(prefixes: readonly string[], by: 1 | -1): void {
    for (const prefix of prefixes) this.#prefixes.set(prefix, (this.#prefixes.get(prefix) ?? 0) + by);
  }
}

/** What is skipped unchecked. */
const passed = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;

/**
 * The position after a comment, literal text, an instruction or a document type; undefined for a tag.
 * @throws Fault
 */
function afterPassed(text: string, at: number): number | undefined {
  const [begin, end] = passed.find(([begin]) => text.startsWith(begin, at)) ?? [];
  if (begin === undefined) return undefined;
  if (at > 0 && /^<\?xml\s/.test(text.slice(at, at + 6)))
    throw new Fault('has its <?xml …?>, which stands only at the very beginning of a file', at);
  const found = text.indexOf(end, at + begin.length);
  if (found < 0) throw new Fault(`has a ${begin} without ${end}`, at);
  if (begin === '<!--' && text.slice(at + begin.length, found + 1).includes('--'))
    throw new Fault('has two hyphens within a comment', at);
  return found + end.length;
}

/** @throws Fault */
function checkAll(text: string): void {
  const bad = /[^\t\n\r -\uFFFD]/.exec(text);
  if (bad) throw new Fault('has a control character, which no SVG may hold', bad.index);
  const elements = new Elements();
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('<', at);
    elements.checkText(text.slice(at, next < 0 ? undefined : next), at);
    if (next < 0) break;
    const [whole, closed] = matchAt(endTag, text, next) ?? [];
    const after = whole === undefined ? afterPassed(text, next) : next + whole.length;
    if (closed !== undefined) elements.end(closed, next);
    if (after !== undefined) at = after;
    else {
      const tag = readTag(text, next);
      elements.begin(tag, next);
      at = tag.end;
    }
  }
  elements.checkAllEnded();
}

/** Why a browser draws nothing of an SVG, as the rest of a sentence; undefined if it draws it. */
export function drawingFault(text: string): string | undefined {
  try {
    checkAll(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `line ${text.slice(0, error.at).split('\n').length} ${error.message}`;
  }
}
