/**
 * Renders React components into Astro's pages, in the place of the server half of @astrojs/react, which renders each
 * component twice and through a stream: here it is one synchronous call. The markup of a component that took nothing
 * but content and plain values is kept for its place, and used again while the records that it read are the same ones.
 * https://docs.astro.build/en/reference/integrations-reference/#addrenderer-option
 */
import type { AstroComponentMetadata, SSRResult } from 'astro';
import { createElement, type ComponentType } from 'react';
import { renderToStaticMarkup as toMarkup, renderToString } from 'react-dom/server';
import { inWholeLists } from '#contract/reads.ts';

type Props = Readonly<Record<string, unknown>>;
type Component = ComponentType<Record<string, unknown>>;

/** Markup with all that it was made from. */
interface Kept {
  readonly component: Component;
  /** The values that the page gives beside the content, and the slots. */
  readonly given: string;
  /** The lists of records that the component read, by section. */
  readonly reads: ReadonlyMap<string | symbol, unknown>;
  readonly html: string;
}

/** By place: a page, and the how-manieth component of it. */
const keptMarkup = new Map<string, Kept>();

const placeCounts = new WeakMap<SSRResult, number>();
/** Counts the components of one rendering of a page. */
function nextIndex(result: SSRResult): number {
  const index = placeCounts.get(result) ?? 0;
  placeCounts.set(result, index + 1);
  return index;
}

const isPlain = (value: unknown): boolean =>
  value === null || !['object', 'function', 'symbol'].includes(typeof value);

const isContent = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** HTML that Astro has rendered already, for a slot of a component. */
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

/** Preloads that React puts before its markup; the pages name their own. */
const preloads = /<link rel="preload"[^>]*>/g;

/** Renders a component, or answers the markup that its place had, where that was made from the very same things. */
export function renderToStaticMarkup(
  this: { readonly result: SSRResult },
  component: Component,
  props: Props,
  slots: Readonly<Record<string, string>>,
  metadata?: AstroComponentMetadata,
): { html: string; attrs?: { prefix: string } } {
  const index = nextIndex(this.result);
  const identifierPrefix = `r${index}`;
  const isHydrated = Boolean(metadata?.hydrate);
  const render = (content: unknown, toHtml: typeof toMarkup) => {
    const given = { ...others, ...(content !== undefined && { content }), ...slotProps(slots, isHydrated) };
    return toHtml(createElement(component, given), { identifierPrefix }).replace(preloads, '');
  };
  const content = isContent(props['content']) ? inWholeLists(props['content']) : undefined;
  // Astro's `class` is the scope of its own styles.
  const others = Object.fromEntries(
    Object.entries(props).filter(([name]) => name !== 'class' && name !== 'content'),
  );
  if (isHydrated) return { html: render(content, renderToString), attrs: { prefix: identifierPrefix } };
  if (!Object.values(others).every(isPlain)) return { html: render(content, toMarkup) };

  const place = `${this.result.pathname} ${index}`;
  const given = JSON.stringify([others, slots]);
  const kept = keptMarkup.get(place);
  if (
    kept?.component === component &&
    kept.given === given &&
    Array.from(kept.reads).every(([name, list]) => isContent(content) && Reflect.get(content, name) === list)
  )
    return { html: kept.html };

  const reads = new Map<string | symbol, unknown>();
  const recording =
    isContent(content) &&
    new Proxy(content, {
      get(target, name) {
        const list: unknown = Reflect.get(target, name);
        reads.set(name, list);
        return list;
      },
    });
  const html = render(recording || content, toMarkup);
  keptMarkup.set(place, { component, given, reads, html });
  return { html };
}

export default {
  name: '@astrojs/react',
  // The site has no other kind of component beside Astro's own.
  check: (component: unknown) =>
    typeof component === 'function' || (isContent(component) && '$$typeof' in component),
  renderToStaticMarkup,
  supportsAstroStaticSlot: true,
};
