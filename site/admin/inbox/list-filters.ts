/** The filters of the message lists. An open message's URL also has them, so that 'next message' follows the list. */
import { messageStatuses, type MessageStatus } from '#contract/inbox.ts';
import { linkTo } from '#contract/screens.ts';
import { queryWith } from '#site/app/in-address.ts';
import type { FilterValues } from '../lists/use-filters.ts';

/** `show`: `mine` or `replies`. */
export const messageFilters = { q: 'Search', show: 'Show' } as const;
export type MessageFilterName = keyof typeof messageFilters;
export type MessageFilters = FilterValues<MessageFilterName>;

export const queryOf = ({ q, show }: MessageFilters) => ({
  q: q.trim().slice(0, 200),
  mine: show === 'mine' ? ('true' as const) : ('' as const),
  newReply: show === 'replies' ? ('true' as const) : ('' as const),
});

/** The name of the status in a message's URL. */
export const statusName = 'messageStatus';

export const statusOf = (text: string): MessageStatus | '' =>
  messageStatuses.find((status) => status === text) ?? '';

/** Returns the URL of a message in a list. @param messageStatus of the list; empty for all messages */
export const linkInList = (
  id: string,
  { q, show }: MessageFilters,
  messageStatus: MessageStatus | '',
): string => linkTo('message', id) + queryWith('', { [statusName]: messageStatus, q: q.trim(), show });

export const linkToLists = ({ q, show }: MessageFilters): string =>
  linkTo('messages') + queryWith('', { q: q.trim(), show });
