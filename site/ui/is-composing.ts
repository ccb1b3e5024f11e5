/**
 * Whether a key belongs to an input method for Chinese, Japanese or Korean. Its Enter key only selects a
 * suggested word. Safari ends the composition before that key, and marks the key by its code
 * (https://bugs.webkit.org/show_bug.cgi?id=165004).
 */
export const isComposing = (event: KeyboardEvent): boolean =>
  event.isComposing || Reflect.get(event, 'keyCode') === 229;
