/**
 * `HTMLRewriter` in Node. The package's build of lol-html aborts at seven selectors, so many of them run in turns of a few:
 * a later turn sees what an earlier one inserted.
 */
import { HTMLRewriter as Rewriter } from 'htmlrewriter';

const selectorsPerTurn = 4;

type Handlers = Parameters<InstanceType<typeof Rewriter>['on']>[1];

export class HTMLRewriter {
  readonly #handlers: (readonly [selector: string, handlers: Handlers])[] = [];

  on(selector: string, handlers: Handlers): this {
    this.#handlers.push([selector, handlers]);
    return this;
  }

  transform(response: Response): Response {
    let transformed = response;
    for (let first = 0; first < this.#handlers.length; first += selectorsPerTurn) {
      const rewriter = new Rewriter();
      for (const [selector, handlers] of this.#handlers.slice(first, first + selectorsPerTurn))
        rewriter.on(selector, handlers);
      transformed = rewriter.transform(transformed);
    }
    return transformed;
  }
}
