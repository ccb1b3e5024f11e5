/** Finds a customer or an order from any screen, by number, name or email. */
import { useState } from 'react';
import { leastSearched, type SearchResult } from '#contract/customers.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import { makeCall } from '#site/islands/shared/call.ts';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { useSettled } from '#site/islands/shared/use-settled.ts';
import css from './find-anything.module.css';

const nothing: SearchResult = { customers: [], orders: [] };

export function FindAnything() {
  const [typed, setTyped] = useState('');
  const wanted = useSettled(typed.trim());
  const { data, error } = useLoaded(wanted, async (signal) =>
    wanted.length < leastSearched
      ? nothing
      : (await makeCall('GET /search', { query: { q: wanted }, signal })).data,
  );
  const { customers, orders } = data ?? nothing;
  const isAsked = typed.trim().length >= leastSearched && wanted.length >= leastSearched;
  const count = customers.length + orders.length;
  return (
    <search className={css['find']}>
      <input
        type="search"
        aria-label="Find a customer or an order"
        placeholder="#1042, name or email"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <p role="status" className={css['note']}>
        {isAsked && (error ? error.message : data && count === 0 ? 'Nothing is found.' : '')}
      </p>
      {isAsked && count > 0 && (
        <ul className={css['found']}>
          {orders.map(({ _id, number, customerName }) => (
            <li key={_id}>
              <a href={linkTo('order', _id)}>
                {displayOrderNumber(number)} <small>{customerName}</small>
              </a>
            </li>
          ))}
          {customers.map(({ _id, name, email }) => (
            <li key={_id}>
              <a href={linkTo('customer', _id)}>
                {name || email} <small>{name && email}</small>
              </a>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}
