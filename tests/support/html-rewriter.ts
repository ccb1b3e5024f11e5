/**
 * `HTMLRewriter` in Node. The package's build of lol-html aborts on longer non-ASCII texts, so we insert such texts in
 * pieces.
 */
import { HTMLRewriter as Rewriter } from 'htmlrewriter';

interface Options {
  readonly html?: boolean;
}

type Insert = (content: string, options?: Options) => unknown;
type Insertions = Record<'append' | 'before' | 'prepend' | 'after', Insert>;

/** The pieces of a text, in order. An ASCII text is one piece. */
const piecesOf = (content: string): readonly string[] =>
  /^\p{ASCII}*$/u.test(content) ? [content] : (content.match(/.{1,8}/gsu) ?? []);

/** An element whose texts are inserted in pieces. */
function inPieces<T extends object>(element: T): T {
  const insertions = element as T & Insertions;
  return new Proxy(element, {
    get(target, name) {
      if (name === 'append' || name === 'before')
        return (content: string, options?: Options) =>
          piecesOf(content).forEach((piece) => insertions[name](piece, options));
      if (name === 'prepend' || name === 'after')
        return (content: string, options?: Options) =>
          [...piecesOf(content)].reverse().forEach((piece) => insertions[name](piece, options));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}

interface Handlers {
  readonly element: (element: never) => void;
}

export class HTMLRewriter {
  readonly #rewriter = new Rewriter();

  on(selector: string, { element: handle }: Handlers): this {
    this.#rewriter.on(selector, { element: (element: object) => handle(inPieces(element) as never) });
    return this;
  }

  transform(response: Response): Response {
    return this.#rewriter.transform(response);
  }
}
