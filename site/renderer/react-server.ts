/**
 * Renders React components into Astro's pages. It replaces the server half of @astrojs/react, which renders
 * each component twice and through a stream. This module renders in one synchronous call.
 * https://docs.astro.build/en/reference/integrations-reference/#addrenderer-option
 */
import type { AstroComponentMetadata, SSRResult } from 'astro';
import { createElement, type ComponentType } from 'react';
import { renderToStaticMarkup as toMarkup, renderToString } from 'react-dom/server';

type Props = Readonly<Record<string, unknown>>;
type Component = ComponentType<Record<string, unknown>>;

const componentCounts = new WeakMap<SSRResult, number>();
/** Counts the components in one render of a page. */
function nextIndex(result: SSRResult): number {
  const index = componentCounts.get(result) ?? 0;
  componentCounts.set(result, index + 1);
  return index;
}

/** HTML that Astro has already rendered, for a slot of a component. */
const SlotHtml = ({ tag, name, html }: { tag: string; name?: string | undefined; html: string }) =>
  createElement(tag, { name, suppressHydrationWarning: true, dangerouslySetInnerHTML: { __html: html } });

function slotProps(slots: Readonly<Record<string, string>>, isHydrated: boolean): Record<string, unknown> {
  const tag = isHydrated ? 'astro-slot' : 'astro-static-slot';
  return Object.fromEntries(
    Object.entries(slots).map(([slot, html]) => {
      const name = slot === 'default' ? undefined : slot;
      return [name ?? 'children', html.trim() === '' ? null : createElement(SlotHtml, { tag, name, html })];
    }),
  );
}

/** React puts preloads before its markup. The pages have their own preloads. */
const preloads = /<link rel="preload"[^>]*>/g;

/** Renders a component: with React's hydration markers for an island, otherwise as plain markup. */
export function renderToStaticMarkup(
  this: { readonly result: SSRResult },
  component: Component,
  props: Props,
  slots: Readonly<Record<string, string>>,
  metadata?: AstroComponentMetadata,
): { html: string; attrs?: { prefix: string } } {
  const identifierPrefix = `r${nextIndex(this.result)}`;
  const isHydrated = Boolean(metadata?.hydrate);
  // Astro's `class` is the scope of its own styles.
  const own = Object.fromEntries(Object.entries(props).filter(([name]) => name !== 'class'));
  const element = createElement(component, { ...own, ...slotProps(slots, isHydrated) });
  const render = isHydrated ? renderToString : toMarkup;
  const html = render(element, { identifierPrefix }).replace(preloads, '');
  return isHydrated ? { html, attrs: { prefix: identifierPrefix } } : { html };
}

export default {
  name: '@astrojs/react',
  // Accepts every component, because the site has only React and Astro components.
  check: (component: unknown) =>
    typeof component === 'function' ||
    (typeof component === 'object' && component !== null && '$$typeof' in component),
  renderToStaticMarkup,
  supportsAstroStaticSlot: true,
};
