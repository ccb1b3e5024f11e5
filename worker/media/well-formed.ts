/**
 * Checks whether a browser can draw an SVG. A browser reads it as XML with namespaces and draws nothing of a file
 * that breaks a rule of either (https://www.w3.org/TR/xml/#dt-fatal, https://www.w3.org/TR/xml-names/#ns-decl).
 * The time grows linearly with the length of the file.
 */

const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * How deep elements may be nested. Chromium draws 4,000 levels and refuses 6,000.
 */
const maxDepth = 1_000;

/** Says why a browser draws nothing of an SVG. */
export class Fault extends Error {
  readonly at: number;
  readonly isCutOff: boolean;

  /**
   * @param reason the rest of a sentence that begins with a line of the file: 'has a lone < sign'
   * @param at position in the text
   * @param isCutOff whether the file ends before its root does, so it was probably cut off
   */
  constructor(reason: string, at: number, isCutOff = false) {
    super(reason);
    this.at = at;
    this.isCutOff = isCutOff;
  }
}

/** The characters of names, without colons: https://www.w3.org/TR/xml-names/#NT-NCName */
const nameStart = String.raw`A-Z_a-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}`;
const part = String.raw`[${nameStart}][${nameStart}\-.0-9\u00B7\u0300-\u036F\u203F\u2040]*`;
const name = `(?:${part}:)?${part}`;
/** XML has only these four white-space characters. */
const space = String.raw`[ \t\r\n]`;
const startTag = new RegExp(`<(${name})`, 'uy');
const endTag = new RegExp(`</(${name})${space}*`, 'uy');
const attributeName = new RegExp(`(${space}*)(${name})`, 'uy');
const attributeValue = new RegExp(String.raw`${space}*=${space}*(?:"([^<"]*)|'([^<']*))`, 'y');
const equalsSign = new RegExp(`${space}*=`, 'y');
const tagEnd = new RegExp(String.raw`${space}*(\/?)>`, 'y');
const spaces = new RegExp(`${space}*`, 'y');
const instruction = new RegExp(String.raw`<\?(${part})(?=${space}|\?>)`, 'uy');
/** https://www.w3.org/TR/xml/#NT-XMLDecl */
const xmlDeclaration = new RegExp(
  String.raw`^<\?xml${space}+version${space}*=${space}*(["'])1\.\d+\1` +
    String.raw`(?:${space}+encoding${space}*=${space}*(["'])[A-Za-z][\w.\-]*\2)?` +
    String.raw`(?:${space}+standalone${space}*=${space}*(["'])(?:yes|no)\3)?${space}*\?>`,
);

const literal = `(?:"[^"]*"|'[^']*')`;
const documentType = new RegExp(
  `<!DOCTYPE${space}+${name}(?:${space}+(?:SYSTEM|PUBLIC${space}+${literal})${space}+${literal})?${space}*([>[])`,
  'uy',
);
/** The characters of a URI: https://www.rfc-editor.org/rfc/rfc3986#section-2 */
const uri = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\dA-Fa-f]{2})*$/;

/** Matches a pattern at one position. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The position after white space. */
const afterSpaces = (text: string, at: number): number => at + (matchAt(spaces, text, at)?.[0].length ?? 0);

/** Characters that XML forbids, even as a number: https://www.w3.org/TR/xml/#NT-Char */
const forbidden = /[^\t\n\r -\uFFFD]/;

/** Whether XML allows the character with this number. */
const isAllowed = (code: number): boolean =>
  code <= 0x10_ff_ff &&
  (code < 0xd8_00 || code > 0xdf_ff) &&
  !forbidden.test(String.fromCodePoint(code).slice(0, 1));

const reference = /&(?:#(\d+);|#x([\dA-Fa-f]+);|(?:amp|lt|gt|quot|apos);|([^ \t\r\n;<&"']{0,30};?))/g;

/**
 * @param at position of the text in the file
 * @throws Fault
 */
function checkReferences(text: string, at: number): void {
  for (const { 0: whole, 1: decimal, 2: hexadecimal, 3: other, index } of text.matchAll(reference)) {
    if (other?.endsWith(';'))
      throw new Fault(`uses ${whole}, which no SVG knows: write the character itself`, at + index);
    if (other !== undefined) throw new Fault('has a lone & sign: write &amp;', at + index);
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '20', 16) : Number(decimal);
    if (!isAllowed(code))
      throw new Fault(
        `uses ${whole.slice(0, 12)}, which stands for a character that no SVG may hold`,
        at + index,
      );
  }
}

const prefixOf = (name: string): string => (name.includes(':') ? name.slice(0, name.indexOf(':')) : '');

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly isEmpty: boolean;
  /** Position after the tag. */
  readonly end: number;
}

/**
 * The fault of a start tag that neither ends nor continues with an attribute.
 * @param at position after its last attribute
 */
function tagFault(text: string, at: number, name: string): Fault {
  const next = afterSpaces(text, at);
  if (next === text.length) return new Fault(`ends within <${name}>`, at, true);
  if (text[next] === '<') return new Fault(`has a <${name}> that does not end with >`, at);
  return new Fault(
    `has a “${String.fromCodePoint(text.codePointAt(next) ?? 0)}” in <${name}>, where it is not allowed`,
    at,
  );
}

/**
 * The fault of an attribute without a value.
 * @param at position after its name
 */
function valueFault(text: string, at: number, key: string, name: string): Fault {
  const equals = matchAt(equalsSign, text, at);
  const next = afterSpaces(text, at + (equals?.[0].length ?? 0));
  if (next === text.length) return new Fault(`ends within <${name}>`, at, true);
  if (equals) return new Fault(`has a “${key}” in <${name}> whose value is not in quotation marks`, at);
  return /[=/> \t\r\n]/.test(text[at] ?? '')
    ? new Fault(`has a “${key}” in <${name}> without a value`, at)
    : tagFault(text, at, name);
}

/**
 * Reads one attribute; undefined if there is none.
 * @throws Fault
 */
function readAttribute(
  text: string,
  at: number,
  name: string,
): { key: string; value: string; end: number } | undefined {
  const [opening, before, key = ''] = matchAt(attributeName, text, at) ?? [];
  if (opening === undefined) return undefined;
  if (before === '') throw new Fault(`has no space before “${key}” in <${name}>`, at);
  const afterName = at + opening.length;
  const found = matchAt(attributeValue, text, afterName);
  if (!found) throw valueFault(text, afterName, key, name);
  const value = found[1] ?? found[2] ?? '';
  const end = afterName + found[0].length;
  if (end === text.length) throw new Fault(`ends within the value of “${key}” in <${name}>`, at, true);
  if (text[end] === '<')
    throw new Fault(
      `has a < sign in the value of “${key}” in <${name}>: write &lt;, or end the value with a quotation mark`,
      end,
    );
  checkReferences(value, end - value.length);
  return { key, value, end: end + 1 };
}

/** @throws Fault */
function readTag(text: string, at: number): Tag {
  const [opening, name = ''] = matchAt(startTag, text, at) ?? [];
  if (opening === undefined)
    throw at + 1 === text.length
      ? new Fault('ends within a tag', at, true)
      : new Fault('has a lone < sign: write &lt;', at);
  const attributes = new Map<string, string>();
  let end = at + opening.length;
  for (let found = readAttribute(text, end, name); found; found = readAttribute(text, end, name)) {
    const { key, value } = found;
    if (attributes.has(key)) throw new Fault(`says “${key}” twice in one <${name}>`, end);
    attributes.set(key, value);
    end = found.end;
  }
  const closing = matchAt(tagEnd, text, end);
  if (!closing) throw tagFault(text, end, name);
  return { name, attributes, isEmpty: closing[1] === '/', end: end + closing[0].length };
}

/** The namespaces of the prefixes `xml` and `xmlns`. Neither can be redefined. */
const reserved: readonly (readonly [prefix: string, namespace: string])[] = [
  ['xml', 'http://www.w3.org/XML/1998/namespace'],
  ['xmlns', 'http://www.w3.org/2000/xmlns/'],
];

/** @throws Fault if a tag declares a namespace that XML does not allow */
function checkDeclaration(prefix: string, namespace: string, at: number): void {
  const key = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  if (prefix === 'xml' && namespace === reserved[0]?.[1]) return;
  if (prefix !== '' && namespace === '')
    throw new Fault(`says ${key}="", which gives “${prefix}” no meaning`, at);
  if (reserved.some((one) => one[0] === prefix || one[1] === namespace))
    throw new Fault(`says ${key}="${namespace}", which XML keeps for itself`, at);
  if (!uri.test(namespace)) throw new Fault(`says ${key}="${namespace}", which is not an address`, at);
}

/** @throws Fault if the first element is not the root of an SVG */
function checkRoot(name: string, attributes: Tag['attributes'], at: number): void {
  const prefix = prefixOf(name);
  const key = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  if (name.slice(prefix === '' ? 0 : prefix.length + 1) !== 'svg')
    throw new Fault(`writes <${name}> for <svg>`, at);
  if (attributes.get(key) !== svgNamespace)
    throw new Fault(`does not say ${key}="${svgNamespace}" in its <${name}>`, at);
}

/** The open elements, and the prefixes that they declare. */
class Elements {
  readonly #open: { readonly name: string; readonly declared: readonly string[]; readonly at: number }[] = [];
  /** Maps a prefix to the namespaces that open elements give it, the innermost last. */
  readonly #prefixes = new Map<string, string[]>(
    reserved.map(([prefix, namespace]) => [prefix, [namespace]]),
  );
  /** The attributes of the first element. */
  root: ReadonlyMap<string, string> | undefined;
  hasDocumentType = false;

  /** @throws Fault */
  begin({ name, attributes, isEmpty }: Tag, at: number): void {
    if (!this.root) checkRoot(name, attributes, at);
    if (this.root && this.#open.length === 0) throw new Fault('goes on after </svg>', at);
    if (this.#open.length === maxDepth) throw new Fault('nests elements more than 1,000 deep', at);
    this.root ??= attributes;
    const declared = this.#declare(attributes, at);
    this.#checkPrefixes(name, attributes, at);
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
    for (const prefix of last.declared) this.#prefixes.get(prefix)?.pop();
  }

  /** @throws Fault */
  checkText(text: string, at: number): void {
    if (this.#open.length === 0 && /[^ \t\r\n]/.test(text)) throw new Fault('has text outside its <svg>', at);
    const end = text.indexOf(']]>');
    if (end >= 0) throw new Fault('has ]]> in a text: write ]]&gt;', at + end);
    checkReferences(text, at);
  }

  get isOutside(): boolean {
    return this.#open.length === 0;
  }

  /**
   * @returns the attributes of the root
   * @throws Fault
   */
  finish(end: number): ReadonlyMap<string, string> {
    const last = this.#open.at(-1);
    if (last) throw new Fault(`opens a <${last.name}> that nothing closes`, last.at, true);
    if (!this.root) throw new Fault('has no <svg>', end, true);
    return this.root;
  }

  /**
   * Declares the prefixes of a tag.
   * @returns the prefixes
   * @throws Fault
   */
  #declare(attributes: Tag['attributes'], at: number): readonly string[] {
    const declared: string[] = [];
    for (const [key, namespace] of attributes) {
      if (key === 'xmlns') checkDeclaration('', namespace, at);
      if (!key.startsWith('xmlns:')) continue;
      const prefix = key.slice('xmlns:'.length);
      checkDeclaration(prefix, namespace, at);
      declared.push(prefix);
      const known = this.#prefixes.get(prefix);
      if (known) known.push(namespace);
      else this.#prefixes.set(prefix, [namespace]);
    }
    return declared;
  }

  /** @throws Fault */
  #checkPrefixes(name: string, attributes: Tag['attributes'], at: number): void {
    if (prefixOf(name) === 'xmlns') throw new Fault(`writes <${name}>, and XML keeps “xmlns” for itself`, at);
    const expanded = new Map<string, string>();
    for (const used of [name, ...attributes.keys()]) {
      const prefix = prefixOf(used);
      if (prefix === '') continue;
      const namespace = this.#prefixes.get(prefix)?.at(-1);
      if (namespace === undefined)
        throw new Fault(`uses “${used}”, but no xmlns:${prefix} says what “${prefix}” is`, at);
      if (used === name) continue;
      const meant = `${namespace} ${used.slice(prefix.length + 1)}`;
      const other = expanded.get(meant);
      if (other !== undefined)
        throw new Fault(`says “${other}” and “${used}” in one <${name}>, which mean the same`, at);
      expanded.set(meant, used);
    }
  }
}

/**
 * The position after `end`.
 * @throws Fault if it never comes
 */
function after(text: string, at: number, begin: string, end: string): number {
  const found = text.indexOf(end, at + begin.length);
  if (found < 0) throw new Fault(`has a ${begin} without ${end}`, at);
  return found + end.length;
}

/** @throws Fault */
function afterComment(text: string, at: number): number {
  const end = after(text, at, '<!--', '-->');
  if (text.slice(at + '<!--'.length, end - 2).includes('--'))
    throw new Fault('has two hyphens within a comment', at);
  return end;
}

/** @throws Fault */
function afterInstruction(text: string, at: number): number {
  const end = after(text, at, '<?', '?>');
  if (/^<\?xml[ \t\r\n?]/.test(text.slice(at, at + 6))) {
    if (at > 0) throw new Fault('has its <?xml …?>, which stands only at the very beginning of a file', at);
    if (!xmlDeclaration.test(text.slice(0, end)))
      throw new Fault('has a wrong first line: write <?xml version="1.0" encoding="UTF-8"?>', at);
    return end;
  }
  const [, target] = matchAt(instruction, text, at) ?? [];
  if (target === undefined || target.toLowerCase() === 'xml')
    throw new Fault('has a <?…?> without a proper name', at);
  return end;
}

/** @throws Fault */
function afterDocumentType(text: string, at: number, elements: Elements): number {
  const [whole = '', last] = matchAt(documentType, text, at) ?? [];
  if (elements.root) throw new Fault('has a <!DOCTYPE> that does not stand before its <svg>', at);
  if (elements.hasDocumentType) throw new Fault('has a second <!DOCTYPE>', at);
  elements.hasDocumentType = true;
  if (last === '[') throw new Fault('has declarations in its <!DOCTYPE>', at);
  if (last === undefined) throw new Fault('has a <!DOCTYPE> that is not written right: leave it out', at);
  return at + whole.length;
}

/**
 * The position after a comment, literal text, an instruction or a document type; undefined for a tag.
 * @throws Fault
 */
function afterPassed(text: string, at: number, elements: Elements): number | undefined {
  if (text.startsWith('<!--', at)) return afterComment(text, at);
  if (text.startsWith('<?', at)) return afterInstruction(text, at);
  if (text.startsWith('<!DOCTYPE', at)) return afterDocumentType(text, at, elements);
  if (text.startsWith('<![CDATA[', at)) {
    if (elements.isOutside) throw new Fault('has text outside its <svg>', at);
    return after(text, at, '<![CDATA[', ']]>');
  }
  if (text.startsWith('<!', at)) throw new Fault('has a <! that begins neither <!-- nor <![CDATA[', at);
  return undefined;
}

/**
 * The position after an end tag, and its name; undefined for anything else.
 * @throws Fault
 */
function readEndTag(text: string, at: number): { name: string; end: number } | undefined {
  if (!text.startsWith('</', at)) return undefined;
  const [whole = '', name] = matchAt(endTag, text, at) ?? [];
  const end = at + whole.length;
  if (end === text.length || at + 2 === text.length) throw new Fault('ends within a tag', at, true);
  if (name === undefined) throw new Fault('has a </ without the name of an element', at);
  if (text[end] !== '>') throw new Fault(`has a </${name}> that does not end with >`, at);
  return { name, end: end + 1 };
}

/**
 * @returns the attributes of the root
 * @throws Fault
 */
function readAll(text: string): ReadonlyMap<string, string> {
  const bad = forbidden.exec(text);
  if (bad) throw new Fault('has a control character, which no SVG may hold', bad.index);
  const elements = new Elements();
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('<', at);
    elements.checkText(text.slice(at, next < 0 ? undefined : next), at);
    if (next < 0) break;
    const closing = readEndTag(text, next);
    const passed = closing?.end ?? afterPassed(text, next, elements);
    if (closing) elements.end(closing.name, next);
    if (passed !== undefined) at = passed;
    else {
      const tag = readTag(text, next);
      elements.begin(tag, next);
      at = tag.end;
    }
  }
  return elements.finish(text.length);
}

/**
 * Reads an SVG as a browser does.
 * @returns the attributes of the root
 * @throws Fault a browser draws nothing of it; its message names the line
 */
export function readDrawing(text: string): ReadonlyMap<string, string> {
  try {
    return readAll(text);
  } catch (error) {
    if (error instanceof Fault)
      error.message = `line ${text.slice(0, error.at).split('\n').length} ${error.message}`;
    throw error;
  }
}
