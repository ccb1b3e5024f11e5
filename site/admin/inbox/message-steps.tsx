/** Links to the previous and next message, which also work with the keys j and k. */
import { useEffect, useEffectEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { LinkButton } from '#site/ui/button.tsx';
import { readInAddress } from '#site/app/in-address.ts';
import { callQuery } from '#site/app/query.ts';
import { linkInList, queryOf, statusName, statusOf, type MessageFilters } from './list-filters.ts';
import { cluster } from '#site/ui/layout.ts';

/** Whether the key goes into a field, is part of a shortcut, or belongs to a dialog. */
const isTyping = ({ target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  isComposing ||
  document.querySelector('dialog[open]') !== null ||
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null);

function useKey(key: string, href: string | undefined): void {
  const follow = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== key || href === undefined || isTyping(event)) return;
    event.preventDefault();
    location.assign(href);
  });
  useEffect(() => {
    document.addEventListener('keydown', follow);
    return () => document.removeEventListener('keydown', follow);
  }, []);
}

interface MessageStepsProps {
  readonly id: string;
  readonly filters: MessageFilters;
}

export function MessageSteps({ id, filters }: MessageStepsProps) {
  const messageStatus = statusOf(readInAddress([statusName])[statusName]);
  const { data } = useQuery(
    callQuery('GET /message/:id/neighbors', { id, query: { messageStatus, ...queryOf(filters) } }),
  );
  const hrefOf = (next: string | null | undefined) =>
    next ? linkInList(next, filters, messageStatus) : undefined;
  const [newer, older] = [hrefOf(data?.newer), hrefOf(data?.older)];
  useKey('j', older);
  useKey('k', newer);
  if (newer === undefined && older === undefined) return null;
  return (
    <nav aria-label="Messages before and after" className={cluster(3)}>
      {newer !== undefined && (
        <LinkButton
          href={newer}
          variant="secondary"
          size="small"
          title="Newer message (press K)"
          aria-keyshortcuts="k"
          icon={<ChevronUp size="1.125rem" aria-hidden="true" />}
        >
          Newer
        </LinkButton>
      )}
      {older !== undefined && (
        <LinkButton
          href={older}
          variant="secondary"
          size="small"
          title="Older message (press J)"
          aria-keyshortcuts="j"
          icon={<ChevronDown size="1.125rem" aria-hidden="true" />}
        >
          Older
        </LinkButton>
      )}
    </nav>
  );
}
