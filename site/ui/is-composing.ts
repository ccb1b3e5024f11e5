/**
 * Whether a key belongs to an input method, with which people write Chinese, Japanese or Korean. Its Enter only
 * picks one of the offered words. Safari ends the composition before that key, and marks it by its code
 * (https://bugs.webkit.org/show_bug.cgi?id=165004).
 */
export const isComposing = (event: KeyboardEvent): boolean =>
  event.isComposing || Reflect.get(event, 'keyCode') === 229;
