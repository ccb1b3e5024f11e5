/** The inbox: messages from the contact form, unread first. A wide screen shows the open one beside the lists. */
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { findScreen } from '#contract/all-screens.ts';
import { Field } from '#site/ui/field.tsx';
import { useDebouncedValue } from '#site/ui/use-debounced-value.ts';
import { addressWith } from '#site/app/call.ts';
import { readInAddress } from '#site/app/in-address.ts';
import { callQuery } from '#site/app/query.ts';
import { useMediaQuery } from '#site/app/use-media-query.ts';
import { FilterBar } from '../lists/filter-bar.tsx';
import { useFilters, type Filters } from '../lists/use-filters.ts';
import { ExportButton } from '../shell/export-button.tsx';
import { useRefetchOnInboxChange } from '../shell/inbox-counts.ts';
import { ScreenFrame } from '../shell/screen.tsx';
import { linkToLists, messageFilters, type MessageFilterName } from './list-filters.ts';
import { MessagePane } from './message.tsx';
import { followShortcut } from './message-steps.tsx';
import { MessageTables } from './message-tables.tsx';
import { stack } from '#site/ui/layout.ts';
import css from './messages.module.css';
import { openInPlace, staysInDocument, useNavigations } from '#site/app/in-place-navigation.ts';

/** The width at which two columns fit next to the navigation. */
const wide = '(min-width: 75rem)';

export default function Inbox({ id: first = '' }: { readonly id?: string }) {
  const isWide = useMediaQuery(wide);
  const filters = useFilters(messageFilters);
  const [hasMoved, setHasMoved] = useState(false);
  const id = useOpenMessage(first, isWide, () => {
    setHasMoved(true);
    filters.setSeveral(readInAddress(['q', 'show']));
  });
  useRefetchOnInboxChange();
  const isOpen = id !== '';
  const { data: message } = useQuery({ ...callQuery('GET /message/:id', { id }), enabled: isOpen });
  return (
    // A click anywhere in the inbox moves the focus into it.
    <div role="presentation" tabIndex={-1} className="focus-target" onKeyDown={followShortcut}>
      <ScreenFrame
        {...(isOpen
          ? {
              title: message?.subject ?? 'Message',
              back: { href: linkToLists(filters.values), label: 'Messages' },
            }
          : {
              title: 'Welcome to Admin Panel',
              intro: 'Messages from the contact form, newest first.',
              actions: <ExportButton address={addressWith('GET /messages.csv')} />,
            })}
      >
        <div className={stack(5, css['inbox'])} data-open={isOpen || undefined}>
          {(isWide || !isOpen) && <Lists filters={filters} openId={id} />}
          {isOpen && (
            <MessagePane
              key={id}
              id={id}
              filters={filters.values}
              isBesideList={isWide}
              takesFocus={hasMoved}
            />
          )}
        </div>
      </ScreenFrame>
    </div>
  );
}

interface ListsProps {
  readonly filters: Filters<MessageFilterName>;
  readonly openId: string;
}

function Lists({ filters: { values, set, bind }, openId }: ListsProps) {
  const wanted = useDebouncedValue(values);
  const view = (label: string, show: string) => ({
    label,
    isOn: values.show === show,
    choose: () => set('show', show),
  });
  return (
    <div className={stack(5, css['lists'])}>
      <FilterBar
        label="Messages"
        views={[view('All', ''), view('Mine', 'mine'), view('New replies', 'replies')]}
        search={<Field {...bind('q')} type="search" placeholder="Name, email or words" maxLength={200} />}
      />
      <MessageTables filters={values} wanted={wanted} openId={openId} />
    </div>
  );
}

/** Returns the id of the message; empty for the list, undefined for any other screen. */
function messageAt(href: string): string | undefined {
  const { screen, id } = findScreen(new URL(href).pathname) ?? {};
  if (screen?.name === 'messages') return '';
  return screen?.name === 'message' ? id : undefined;
}

/**
 * The message in the URL. On a wide screen, every link to a message opens it next to the list.
 * Browsers without the Navigation API and narrow screens load each message as a new document.
 * @param first the id in the document's URL; empty for the list
 * @param isInPlace whether the message fits next to the list
 * @param onMove called after the URL has changed
 * @returns the id of the open message; empty if none is open
 */
function useOpenMessage(first: string, isInPlace: boolean, onMove: () => void): string {
  const [id, setId] = useState(first);
  useNavigations((event) => {
    const { destination, navigationType } = event;
    // Filters and pages also change the URL, but do not open another message.
    if (navigationType === 'replace' && destination.sameDocument) return;
    const next = messageAt(destination.url);
    // Going back within the document also works after the window has become narrow.
    if (next === undefined || !staysInDocument(event) || !(isInPlace || destination.sameDocument)) return;
    openInPlace(event, () => {
      setId(next);
      onMove();
    });
  });
  return id;
}
