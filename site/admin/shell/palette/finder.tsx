/** What the palette's dialog holds: what is typed, and what it finds. It is fetched when the dialog first opens. */
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { leastSearched } from '#contract/customers.ts';
import type { SearchResult } from '#contract/customers.calls.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import { isComposing } from '#site/ui/is-composing.ts';
import { callQuery } from '#site/app/query.ts';
import { useDebouncedValue } from '#site/ui/use-debounced-value.ts';
import { offered, siteEntries, workEntries } from '../entries.ts';
import { offers } from '../role.ts';
import { homes } from '#site/admin/content/section-homes.ts';
import { matching, type Option } from './matching.ts';
import css from './palette.module.css';

const nothing: SearchResult = { customers: [], orders: [] };
/** Every screen and section that the caller may open. */
const places = (): readonly Option[] => {
  const entries = [...offered(workEntries), ...offered(siteEntries)];
  const listed = new Set<string>(entries.map(({ href }) => href));
  return [
    ...entries.map(({ href, label }) => ({ href, label, about: 'Screen' })),
    ...(offers('orders') ? [{ href: linkTo('newOrder'), label: 'New order', about: 'Screen' }] : []),
    ...offered(homes)
      .filter(({ path }) => !listed.has(path))
      .map(({ path, title, ability }) => ({
        href: path,
        label: title,
        about: ability === 'content' ? 'Section' : 'Screen',
      })),
  ];
};

const foundOptions = ({ orders, customers }: SearchResult): readonly Option[] => [
  ...orders.map(({ _id, number, displayName, customerName }) => ({
    href: linkTo('order', _id),
    label: `${displayOrderNumber(number)} ${customerName}`,
    about: `${displayName} order`,
  })),
  ...customers.map(({ _id, name, email }) => ({
    href: linkTo('customer', _id),
    label: name || email,
    about: name ? email : 'Customer',
  })),
];

/** A combobox as https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ describes it. */
export default function Finder({ onClose }: { readonly onClose: () => void }) {
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const wanted = useDebouncedValue(typed.trim());
  const { data, error, isFetching } = useQuery({
    ...callQuery('GET /search', { query: { q: wanted } }),
    enabled: wanted.length >= leastSearched && offers('customers'),
  });
  // Enter must open what was asked for: an answer counts for its own text alone, and moves nothing that is shown already.
  const isSearching = isFetching || wanted !== typed.trim();
  const found = isSearching || error ? nothing : (data ?? nothing);
  const options = [...matching(places(), typed), ...foundOptions(found)];
  const active = Math.min(chosen, options.length - 1);
  const optionId = (index: number) => `${list}-${index}`;

  useEffect(() => input.current?.focus(), []);

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
      <div className={css['field']}>
        <Search size="1.25rem" aria-hidden="true" />
        <input
          type="text"
          role="combobox"
          aria-label="Find a screen, a section, an order or a customer"
          aria-expanded={options.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? optionId(active) : undefined}
          placeholder={offers('customers') ? '#1042, name, email or screen' : 'Screen or section'}
          autoComplete="off"
          ref={input}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" className={css['close']} onClick={onClose}>
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
            className={css['option']}
            onPointerMove={() => setChosen(index)}
            onClick={onClose}
          >
            <span dir="auto">{label}</span> <small dir="auto">{about}</small>
          </a>
        ))}
      </div>
      <p role="status" className={css['note']}>
        {error?.message ?? (options.length > 0 ? '' : isSearching ? 'Searching …' : 'Nothing matches.')}
      </p>
    </div>
  );
}
