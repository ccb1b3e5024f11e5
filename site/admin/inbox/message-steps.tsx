/** Links to the previous and next message, and their shortcut keys. */
import type { KeyboardEvent } from 'react';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { LinkButton } from '#site/ui/button.tsx';
import { readInAddress } from '#site/app/in-address.ts';
import { useCall } from '#site/app/query.ts';
import { linkInList, queryOf, statusName, statusOf, type MessageFilters } from './list-filters.ts';
import { cluster } from '#site/ui/layout.ts';

/** Whether a key is typed into a field, is part of a shortcut, or belongs to a dialog. */
const isTyping = ({ target, ctrlKey, metaKey, altKey, nativeEvent }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  nativeEvent.isComposing ||
  (target instanceof Element &&
    target.closest('dialog, input, textarea, select, [contenteditable]') !== null);

/** J and K work only while the inbox has the focus, because speech input could trigger them (WCAG 2.1.4). */
export function followShortcut(event: KeyboardEvent<HTMLElement>): void {
  const links = event.currentTarget.querySelectorAll<HTMLAnchorElement>('a[aria-keyshortcuts]');
  const link = Array.from(links).find((each) => each.ariaKeyShortcuts === event.key);
  if (!link || isTyping(event)) return;
  event.preventDefault();
  link.click();
}

export function MessageSteps({ id, filters }: { readonly id: string; readonly filters: MessageFilters }) {
  const messageStatus = statusOf(readInAddress([statusName])[statusName]);
  const { data } = useCall('GET /message/:id/neighbors', {
    id,
    query: { messageStatus, ...queryOf(filters) },
  });
  const steps = [
    { id: data?.newer, label: 'Newer', key: 'k', Icon: ChevronUp },
    { id: data?.older, label: 'Older', key: 'j', Icon: ChevronDown },
  ];
  if (!data?.newer && !data?.older) return null;
  return (
    <nav aria-label="Messages before and after" className={cluster(3)}>
      {steps.map(
        ({ id: next, label, key, Icon }) =>
          next && (
            <LinkButton
              key={key}
              href={linkInList(next, filters, messageStatus)}
              variant="secondary"
              size="small"
              title={`${label} message (press ${key.toUpperCase()})`}
              aria-keyshortcuts={key}
              icon={<Icon size="1.125rem" />}
            >
              {label}
            </LinkButton>
          ),
      )}
    </nav>
  );
}
