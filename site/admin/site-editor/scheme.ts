/** Shows a document of this origin in the light or the dark scheme, whatever the system says. */

export type Scheme = 'light' | 'dark';

/** The conditions as the site's styles have them. */
const original = new WeakMap<CSSMediaRule, string>();

function mediaRulesIn(rules: CSSRuleList): CSSMediaRule[] {
  return Array.from(rules).flatMap((rule) => {
    if (!('cssRules' in rule)) return [];
    const inner = mediaRulesIn(rule.cssRules as CSSRuleList);
    return 'media' in rule ? [rule as CSSMediaRule, ...inner] : inner;
  });
}

/** @param scheme undefined for the system's */
export function showScheme(shown: Document, scheme: Scheme | undefined): void {
  for (const rule of Array.from(shown.styleSheets).flatMap((sheet) => mediaRulesIn(sheet.cssRules))) {
    const condition = original.get(rule) ?? rule.media.mediaText;
    original.set(rule, condition);
    // A condition that always holds, or never.
    rule.media.mediaText = condition.replaceAll(
      /\(prefers-color-scheme: *(light|dark)\)/g,
      (all: string, named: string) =>
        scheme === undefined ? all : named === scheme ? '(min-width: 0px)' : '(max-width: 0px)',
    );
  }
  shown.documentElement.style.colorScheme = scheme ?? '';
}
