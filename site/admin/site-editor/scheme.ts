/** Shows a document of this origin in the light or the dark scheme, whatever the system says. */

export type Scheme = 'light' | 'dark';

/** The conditions as the site has them. */
const original = new WeakMap<CSSMediaRule | HTMLSourceElement, string>();

/** What each document shows now. */
const shownSchemes = new WeakMap<Document, Scheme | undefined>();

function mediaRulesIn(rules: CSSRuleList): CSSMediaRule[] {
  return Array.from(rules).flatMap((rule) => {
    if (!('cssRules' in rule)) return [];
    const inner = mediaRulesIn(rule.cssRules as CSSRuleList);
    return 'media' in rule ? [rule as CSSMediaRule, ...inner] : inner;
  });
}

/** A condition that always holds, or never, in the place of one about the scheme. */
const conditionIn = (scheme: Scheme | undefined, condition: string): string =>
  condition.replaceAll(/\(prefers-color-scheme: *(light|dark)\)/g, (all: string, named: string) =>
    scheme === undefined ? all : named === scheme ? '(min-width: 0px)' : '(max-width: 0px)',
  );

/** Shows the pictures of the scheme, also those that came since it was chosen. */
export function showSources(shown: Document): void {
  for (const source of shown.querySelectorAll<HTMLSourceElement>('source[media]')) {
    const condition = original.get(source) ?? source.media;
    original.set(source, condition);
    source.media = conditionIn(shownSchemes.get(shown), condition);
  }
}

/** @param scheme undefined for the system's */
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
 * Gives a document the colors of an accent. The Content-Security-Policy forbids a new style element, and allows a style
 * sheet that a script constructs.
 * @param rules what `accentRules` says
 */
export function showAccent(shown: Document, rules: string): void {
  const { defaultView: frame } = shown;
  if (!frame) return;
  // Each document has a constructor of its own.
  const sheet = new frame.CSSStyleSheet();
  sheet.replaceSync(rules);
  shown.adoptedStyleSheets = [sheet];
  showScheme(shown, shownSchemes.get(shown));
}
