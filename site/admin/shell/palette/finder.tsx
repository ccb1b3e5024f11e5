/** The content of the palette's dialog: the input and the results. Loaded when the dialog first opens. */
import { useId, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { minSearchLength } from '#contract/customers.ts';
import type { SearchResult } from '#contract/customers.calls.ts';
import { takeFocus } from '#site/ui/focus-heading.ts';
import { isComposing } from '#site/ui/is-composing.ts';
import { callQuery } from '#site/app/query.ts';
import { useDebouncedValue } from '#site/ui/use-debounced-value.ts';
import { offers } from '../role.ts';
import { foundOptions, termOf, textOptions } from './found.ts';
import { matching, type Option } from './matching.ts';
import { places } from './places.ts';
import { row, spread } from '#site/ui/layout.ts';
import toggle from '#site/ui/toggle.module.css';
import css from './palette.module.css';

const nothing: SearchResult = { customers: [], orders: [], messages: [] };

const nothingMatches = (): string =>
  offers('customers')
    ? 'Nothing matches. Try an order number, an amount, a name, an email, a company or a phone number.'
    : 'Nothing matches. Try the name of a section, or words that appear on a page.';

/** The results for the typed text: screens immediately, and the server's search once the user stops typing. */
function useOptions(typed: string) {
  const term = termOf(typed.trim());
  const wanted = useDebouncedValue(term);
  const isLong = wanted.length >= minSearchLength;
  const { data, error, isFetching } = useQuery({
    ...callQuery('GET /search', { query: { q: wanted } }),
    enabled: isLong && offers('customers'),
  });
  /** The site's texts are loaded once, and searched in the browser. */
  const content = useQuery({
    ...callQuery('GET /content'),
    enabled: isLong && offers('content'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  // Enter must open the result that the user sees. A response is therefore used only for its own text, and does not
  // move results that are already visible.
  const isSearching = isFetching || wanted !== term;
  const found = isSearching || error ? nothing : (data ?? nothing);
  const all: readonly Option[] = [
    ...matching(places(), typed),
    ...foundOptions(found, typed.trim(), offers('administrator')),
    ...(!isSearching && isLong && content.data ? textOptions(content.data, term) : []),
  ];
  const options = [...new Map(all.map((option) => [option.href, option])).values()];
  return { options, error: error ?? content.error, isSearching: isSearching || content.isFetching };
}

const isOnThisPage = (href: string): boolean =>
  href.includes('#') && new URL(href, location.href).pathname === location.pathname;

/** Reloads the screen for a link to another part of it, because a screen opens its parts only when it loads. */
function openAnew(event: MouseEvent, href: string): void {
  event.preventDefault();
  location.assign(href);
  location.reload();
}

/** A combobox as described at https://www.w3.org/WAI/ARIA/apg/patterns/combobox/. */
export default function Finder({ onClose }: { readonly onClose: () => void }) {
  const list = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { options, error, isSearching } = useOptions(typed);
  const active = Math.min(chosen, options.length - 1);
  const optionId = (index: number) => `${list}-${index}`;

  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      const next = (active + step + options.length) % options.length;
      setChosen(next);
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') document.getElementById(optionId(active))?.click();
  }

  return (
    <div className={css['finder']}>
      <div className={row(3, css['field'])}>
        <Search size="1.25rem" />
        <input
          type="text"
          role="combobox"
          aria-label="Find a screen, a section, an order, a customer or a message"
          aria-expanded={options.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? optionId(active) : undefined}
          placeholder={
            offers('customers') ? '#1042, $899, name, company, phone or screen' : 'Screen, section or text'
          }
          autoComplete="off"
          ref={takeFocus}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" className={toggle['toggle']} onClick={onClose}>
          Close
        </button>
      </div>
      <div role="listbox" id={list} aria-label="Results" className={css['options']}>
        {options.map(({ href, label, about }, index) => (
          <a
            key={href}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            href={href}
            aria-selected={index === active}
            className={spread([0, 4], css['option'])}
            onPointerMove={() => setChosen(index)}
            onClick={(event) => {
              onClose();
              if (isOnThisPage(href)) openAnew(event, href);
            }}
          >
            <span dir="auto">{label}</span> <small dir="auto">{about}</small>
          </a>
        ))}
      </div>
      <p role="status" className={css['note']}>
        {error?.message ?? (options.length > 0 ? '' : isSearching ? 'Searching…' : nothingMatches())}
      </p>
    </div>
  );
}
