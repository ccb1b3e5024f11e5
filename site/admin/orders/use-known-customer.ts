/** Prefills a form with the details of a known customer once their email is typed. */
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useQuery } from '@tanstack/react-query';
import { isDeliverable } from '#contract/account-rules.ts';
import type { KnownCustomer } from '#contract/orders.calls.ts';
import { callQuery } from '#site/app/query.ts';
import { typeInto } from '#site/app/use-session-fields.ts';
import { homeCountry } from '#site/features/orders/countries.ts';
import { useDebouncedValue } from '#site/ui/use-debounced-value.ts';
import { fillIn } from './fill-in.ts';

/**
 * @param ref a form whose fields have the names in `KnownCustomer`
 * @param email as typed
 * @returns whether a customer has this email
 */
export function useKnownCustomer(ref: RefObject<HTMLFormElement | null>, email: string): boolean {
  const rested = useDebouncedValue(email.trim());
  const { data } = useQuery({
    ...callQuery('GET /known-customer', { query: { email: rested } }),
    enabled: isDeliverable(rested),
  });
  // The user did not type the preselected country.
  const [presetCountry] = useState(() => homeCountry()?.name ?? '');
  const filled = useRef<Partial<KnownCustomer>>({ customerCountry: presetCountry });
  useEffect(() => {
    const form = ref.current;
    if (!form || !data) return;
    const fieldOf = (name: string) => form.querySelector<HTMLInputElement>(`[name="${name}"]`);
    const typed = Object.fromEntries(Object.keys(data).map((name) => [name, fieldOf(name)?.value ?? '']));
    const known = { ...data, customerCountry: data.customerCountry || presetCountry };
    for (const [name, value] of Object.entries(fillIn(typed, filled.current, known))) {
      const field = fieldOf(name);
      if (field) typeInto(field, value);
    }
    filled.current = known;
  }, [ref, data, presetCountry]);
  return data !== undefined && data.customerName !== '';
}
