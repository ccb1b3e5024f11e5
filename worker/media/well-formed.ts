/**
 * Checks whether a browser can draw an SVG. A browser reads it as XML with namespaces and draws nothing if the file
 * breaks a rule of either (https://www.w3.org/TR/xml/#dt-fatal, https://www.w3.org/TR/xml-names/#ns-decl). The time
 * grows linearly with the length of the file.
 */

const svgNamespace = 'http://www.w3.org/2000/svg';

/** How deep elements may be nested. Chromium draws 4,000 levels and refuses 6,000. */
const maxDepth = 1_000;

/** Says why a browser cannot draw an SVG. Every function here throws it. */
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
const endTag = new RegExp(`</(${name})${space}*>`, 'uy');
const attribute = new RegExp(`${space}+(${name})${space}*=${space}*(?:"([^<"]*)"|'([^<']*)')`, 'uy');
const tagEnd = new RegExp(String.raw`${space}*(\/?)>`, 'y');
const instruction = new RegExp(String.raw`<\?(${part})(?=${space}|\?>)`, 'uy');
/** https://www.w3.org/TR/xml/#NT-XMLDecl */
const xmlDeclaration = new RegExp(
  String.raw`^<\?xml${space}+version${space}*=${space}*(["'])1\.\d+\1` +
    String.raw`(?:${space}+encoding${space}*=${space}*(["'])[A-Za-z][\w.\-]*\2)?` +
    String.raw`(?:${space}+standalone${space}*=${space}*(["'])(?:yes|no)\3)?${space}*\?>`,
);
const literal = `(?:"[^"]*"|'[^']*')`;
const documentType = new RegExp(
  `<!DOCTYPE${space}+${name}(?:${space}+(?:SYSTEM|PUBLIC${space}+${literal})${space}+${literal})?${space}*>`,
  'uy',
);
/** The characters of a URI: https://www.rfc-editor.org/rfc/rfc3986#section-2 */
const uri = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\dA-Fa-f]{2})*$/;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Characters that XML forbids, even as a number: https://www.w3.org/TR/xml/#NT-Char */
const forbidden = /[^\t\n\r -\uFFFD]/;

const isAllowed = (code: number): boolean =>
  code <= 0x10_ff_ff &&
  (code < 0xd8_00 || code > 0xdf_ff) &&
  !forbidden.test(String.fromCodePoint(code).slice(0, 1));

const reference = /&(?:#(\d+);|#x([\dA-Fa-f]+);|(?:amp|lt|gt|quot|apos);|([^ \t\r\n;<&"']{0,30};?))/g;

/** @param at position of the text in the file */
function checkReferences(text: string, at: number): void {
  for (const { 0: whole, 1: decimal, 2: hexadecimal, 3: other, index } of text.matchAll(reference)) {
    if (other?.endsWith(';'))
      throw new Fault(`uses ${whole}, which SVG does not define: write the character itself`, at + index);
    if (other !== undefined) throw new Fault('has a lone & sign: write &amp;', at + index);
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '20', 16) : Number(decimal);
    if (!isAllowed(code))
      throw new Fault(
        `uses ${whole.slice(0, 12)}, which stands for a character that no SVG may hold`,
        at + index,
      );
  }
}

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly isEmpty: boolean;
  /** Position after the tag. */
  readonly end: number;
}

/** The fault of a tag that is not written right. @param at position in the tag */
const tagFault = (text: string, reason: string, at: number): Fault =>
  new Fault(reason, at, !/[<>]/.test(text.slice(at + 1)));

function readTag(text: string, at: number): Tag {
  const [opening, name] = matchAt(startTag, text, at) ?? [];
  if (opening === undefined || name === undefined) throw tagFault(text, 'has a lone < sign: write &lt;', at);
  const attributes = new Map<string, string>();
  let end = at + opening.length;
  for (let found = matchAt(attribute, text, end); found; found = matchAt(attribute, text, end)) {
    const [whole, key = '', quoted, singleQuoted] = found;
    const value = quoted ?? singleQuoted ?? '';
    if (attributes.has(key)) throw new Fault(`says “${key}” twice in one <${name}>`, end);
    attributes.set(key, value);
    end += whole.length;
    checkReferences(value, end - 1 - value.length);
  }
  const closing = matchAt(tagEnd, text, end);
  if (!closing) {
    const reason = `has a mistake in a <${name}>: write attributes as name="value", with a space before each, and end the tag with >`;
    throw tagFault(text, reason, end);
  }
  return { name, attributes, isEmpty: closing[1] === '/', end: end + closing[0].length };
}

function splitName(name: string): { readonly prefix: string; readonly local: string } {
  const at = name.indexOf(':');
  return { prefix: name.slice(0, Math.max(0, at)), local: name.slice(at + 1) };
}

/** The namespaces of the prefixes `xml` and `xmlns`. Neither can be redefined. */
const reserved = new Map([
  ['xml', 'http://www.w3.org/XML/1998/namespace'],
  ['xmlns', 'http://www.w3.org/2000/xmlns/'],
]);

/** Whether XML allows a prefix to have a namespace. @param prefix empty for the namespace of unprefixed elements */
const mayDeclare = (prefix: string, namespace: string): boolean =>
  prefix === 'xml'
    ? namespace === reserved.get(prefix)
    : !reserved.has(prefix) &&
      ![...reserved.values()].includes(namespace) &&
      uri.test(namespace) &&
      (prefix === '' || namespace !== '');

function checkRoot(name: string, attributes: Tag['attributes'], at: number): void {
  const { prefix, local } = splitName(name);
  const key = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  if (local !== 'svg') throw new Fault(`writes <${name}> for <svg>`, at);
  if (attributes.get(key) !== svgNamespace)
    throw new Fault(`does not say ${key}="${svgNamespace}" in its <${name}>`, at);
}

/** The open elements, and the prefixes that they declare. */
class Elements {
  readonly #open: { readonly name: string; readonly declared: readonly string[]; readonly at: number }[] = [];
  /** Maps a prefix to the namespaces that open elements give it, the innermost last. */
  readonly #prefixes = new Map(Array.from(reserved, ([prefix, namespace]) => [prefix, [namespace]]));
  /** The attributes of the first element. */
  root: ReadonlyMap<string, string> | undefined;
  hasDocumentType = false;

  get isOutside(): boolean {
    return this.#open.length === 0;
  }

  begin({ name, attributes, isEmpty }: Tag, at: number): void {
    if (!this.root) checkRoot(name, attributes, at);
    else if (this.isOutside) throw new Fault('goes on after </svg>', at);
    if (this.#open.length === maxDepth) throw new Fault('nests elements more than 1,000 deep', at);
    this.root ??= attributes;
    const declared = this.#declare(attributes, at);
    this.#checkPrefixes(name, attributes, at);
    this.#open.push({ name, declared, at });
    if (isEmpty) this.end(name, at);
  }

  end(name: string, at: number): void {
    const last = this.#open.pop();
    if (last?.name !== name)
      throw new Fault(
        `closes <${name}>${last ? ` while <${last.name}> is open` : ', which is not open'}`,
        at,
      );
    for (const prefix of last.declared) this.#prefixes.get(prefix)?.pop();
  }

  checkText(text: string, at: number): void {
    if (this.isOutside && /[^ \t\r\n]/.test(text)) throw new Fault('has text outside its <svg>', at);
    const end = text.indexOf(']]>');
    if (end >= 0) throw new Fault('has ]]> in a text: write ]]&gt;', at + end);
    checkReferences(text, at);
  }

  /** @returns the attributes of the root */
  finish(end: number): ReadonlyMap<string, string> {
    const last = this.#open.at(-1);
    if (last) throw new Fault(`opens a <${last.name}> that nothing closes`, last.at, true);
    if (!this.root) throw new Fault('has no <svg>', end, true);
    return this.root;
  }

  /** Declares the prefixes of a tag. @returns the prefixes */
  #declare(attributes: Tag['attributes'], at: number): readonly string[] {
    const declared: string[] = [];
    for (const [key, namespace] of attributes) {
      if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue;
      const prefix = key.slice('xmlns:'.length);
      if (!mayDeclare(prefix, namespace))
        throw new Fault(`says ${key}="${namespace}", which XML does not allow`, at);
      if (prefix === '') continue;
      declared.push(prefix);
      const known = this.#prefixes.get(prefix);
      if (known) known.push(namespace);
      else this.#prefixes.set(prefix, [namespace]);
    }
    return declared;
  }

  #checkPrefixes(name: string, attributes: Tag['attributes'], at: number): void {
    const expanded = new Map<string, string>();
    for (const used of [name, ...attributes.keys()]) {
      const { prefix, local } = splitName(used);
      if (prefix === '') continue;
      const namespace = this.#prefixes.get(prefix)?.at(-1);
      if (namespace === undefined || (used === name && prefix === 'xmlns'))
        throw new Fault(`uses “${used}”, but no xmlns:${prefix} says what “${prefix}” is`, at);
      if (used === name) continue;
      const meant = `${namespace} ${local}`;
      const other = expanded.get(meant);
      if (other !== undefined)
        throw new Fault(`says “${other}” and “${used}” in one <${name}>, which mean the same`, at);
      expanded.set(meant, used);
    }
  }
}

/** The position after the end of what begins at a position. */
function after(text: string, at: number, begin: string, end: string): number {
  const found = text.indexOf(end, at + begin.length);
  if (found < 0) throw new Fault(`has a ${begin} without ${end}`, at);
  return found + end.length;
}

function afterInstruction(text: string, at: number): number {
  const end = after(text, at, '<?', '?>');
  const target = matchAt(instruction, text, at)?.[1]?.toLowerCase() ?? 'xml';
  const isDeclaration = at === 0 && xmlDeclaration.test(text.slice(0, end));
  if (target === 'xml' && !isDeclaration)
    throw new Fault(
      'has a wrong <?…?>: the first line may be <?xml version="1.0" encoding="UTF-8"?>, and no other',
      at,
    );
  return end;
}

function afterDocumentType(text: string, at: number, elements: Elements): number {
  const [whole] = matchAt(documentType, text, at) ?? [];
  if (whole === undefined || elements.root || elements.hasDocumentType)
    throw new Fault('has a <!DOCTYPE> that is not written right, or not before its <svg>: leave it out', at);
  elements.hasDocumentType = true;
  return at + whole.length;
}

/** The position after a comment, literal text, an instruction or a document type; undefined for a tag. */
function afterPassed(text: string, at: number, elements: Elements): number | undefined {
  const begins = (start: string) => text.startsWith(start, at);
  if (begins('<!--')) {
    const end = after(text, at, '<!--', '-->');
    if (text.slice(at + '<!--'.length, end - 2).includes('--'))
      throw new Fault('has two hyphens within a comment', at);
    return end;
  }
  if (begins('<?')) return afterInstruction(text, at);
  if (begins('<![CDATA[')) {
    if (elements.isOutside) throw new Fault('has text outside its <svg>', at);
    return after(text, at, '<![CDATA[', ']]>');
  }
  return begins('<!') ? afterDocumentType(text, at, elements) : undefined;
}

function afterEndTag(text: string, at: number, elements: Elements): number {
  const [whole, name] = matchAt(endTag, text, at) ?? [];
  if (whole === undefined || name === undefined)
    throw tagFault(text, 'has an end tag that is not written right: write it as </name>', at);
  elements.end(name, at);
  return at + whole.length;
}

function readAll(text: string): ReadonlyMap<string, string> {
  const bad = forbidden.exec(text);
  if (bad) throw new Fault('has a control character, which no SVG may hold', bad.index);
  const elements = new Elements();
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('<', at);
    elements.checkText(text.slice(at, next < 0 ? undefined : next), at);
    if (next < 0) break;
    const passed = text.startsWith('</', next)
      ? afterEndTag(text, next, elements)
      : afterPassed(text, next, elements);
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
 * @throws Fault a browser cannot draw it; the message names the line
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
