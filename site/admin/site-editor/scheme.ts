/** Shows a document of this origin in the light or dark scheme, regardless of the system's setting. */
import type { Scheme } from '#contract/colors.ts';

/** The original media conditions. */
const original = new WeakMap<CSSMediaRule | HTMLSourceElement, string>();

/** The current scheme of each document. */
const shownSchemes = new WeakMap<Document, Scheme | undefined>();

function mediaRulesIn(rules: CSSRuleList): CSSMediaRule[] {
  return Array.from(rules).flatMap((rule) => {
    if (!('cssRules' in rule)) return [];
    const inner = mediaRulesIn(rule.cssRules as CSSRuleList);
    return 'media' in rule ? [rule as CSSMediaRule, ...inner] : inner;
  });
}

/** Replaces a condition about the scheme with one that is always or never true. */
const conditionIn = (scheme: Scheme | undefined, condition: string): string =>
  condition.replaceAll(/\(prefers-color-scheme: *(light|dark)\)/g, (all: string, named: string) =>
    scheme === undefined ? all : named === scheme ? '(min-width: 0px)' : '(max-width: 0px)',
  );

/** Updates the pictures of the document, including new ones. */
export function showSources(shown: Document): void {
  for (const source of shown.querySelectorAll<HTMLSourceElement>('source[media]')) {
    const condition = original.get(source) ?? source.media;
    original.set(source, condition);
    source.media = conditionIn(shownSchemes.get(shown), condition);
  }
}

/** @param scheme undefined for the system's scheme */
export function showScheme(shown: Document, scheme: Scheme | undefined): void {
  shownSchemes.set(shown, scheme);
  const sheets = [...shown.styleSheets, ...shown.adoptedStyleSheets];
  for (const rule of sheets.flatMap((sheet) => mediaRulesIn(sheet.cssRules))) {
    const condition = original.get(rule) ?? rule.media.mediaText;
    original.set(rule, condition);
    rule.media.mediaText = conditionIn(scheme, condition);
  }
  shown.documentElement.style.colorScheme = scheme ?? '';
  showSources(shown);
}

/**
 * Sets the accent color of a document. The Content Security Policy forbids a new style element, but allows a
 * constructed style sheet.
 * @param rules the result of `accentRules`
 */
export function showAccent(shown: Document, rules: string): void {
  const { defaultView: frame } = shown;
  if (!frame) return;
  // A style sheet must be created with its document's own constructor.
  const sheet = new frame.CSSStyleSheet();
  sheet.replaceSync(rules);
  shown.adoptedStyleSheets = [sheet];
  showScheme(shown, shownSchemes.get(shown));
}
