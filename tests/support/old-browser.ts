/** The oldest browsers that the site supports. */
import type { BrowserContext } from 'playwright/test';

/**
 * Removes what Safari 16.4 or Firefox 114 lacks, according to MDN's tables
 * (https://github.com/mdn/browser-compat-data): everything that is newer in either of them.
 */
export const makeOld = (context: BrowserContext) =>
  context.addInitScript(() => {
    const newer: readonly (readonly [holder: object | undefined, names: readonly string[]])[] = [
      [Promise, ['withResolvers', 'try']],
      [URL, ['parse', 'canParse']],
      [Map, ['groupBy']],
      [Object, ['groupBy']],
      [Array, ['fromAsync']],
      [Array.prototype, ['toSorted', 'toReversed', 'toSpliced', 'with']],
      [String.prototype, ['isWellFormed', 'toWellFormed']],
      [AbortSignal, ['any']],
      [ArrayBuffer.prototype, ['transfer', 'transferToFixedLength']],
      [Element.prototype, ['checkVisibility', 'setHTMLUnsafe', 'getHTML']],
      [Document, ['parseHTMLUnsafe']],
      [Uint8Array, ['fromBase64', 'fromHex']],
      [Uint8Array.prototype, ['toBase64', 'toHex']],
      [RegExp, ['escape']],
      [Math, ['sumPrecise', 'f16round']],
      [Error, ['isError']],
      [Set.prototype, ['union', 'intersection', 'difference', 'symmetricDifference']],
      [Set.prototype, ['isSubsetOf', 'isSupersetOf', 'isDisjointFrom']],
      [Map.prototype, ['getOrInsert', 'getOrInsertComputed']],
      [ReadableStream, ['from']],
      [ReadableStream.prototype, ['values']],
      [
        Reflect.getPrototypeOf(Reflect.getPrototypeOf([].values()) ?? {}) ?? undefined,
        [
          ...[
            'map',
            'filter',
            'take',
            'drop',
            'flatMap',
            'reduce',
            'toArray',
            'forEach',
            'some',
            'every',
            'find',
          ],
        ],
      ],
      [
        globalThis,
        ['Iterator', 'scheduler', 'navigation', 'requestIdleCallback', 'CloseWatcher', 'Temporal'],
      ],
      [window.document, ['startViewTransition']],
      [Intl, ['Segmenter', 'DurationFormat']],
    ];
    for (const [holder, names] of newer)
      for (const name of names) if (holder) Reflect.deleteProperty(holder, name);
    Reflect.deleteProperty(Document.prototype, 'startViewTransition');
    Reflect.deleteProperty(ReadableStream.prototype, Symbol.asyncIterator);
  });
