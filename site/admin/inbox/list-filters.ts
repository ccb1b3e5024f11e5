/** What the lists of messages are narrowed by. The address of an open message keeps it, so that the next one is known. */
import type { MessageStatus } from '#contract/inbox.ts';
import { messageStatuses } from '#contract/inbox.ts';
import { linkTo } from '#contract/screens.ts';
import { queryWith } from '#site/app/in-address.ts';
import type { FilterValues } from '../lists/use-filters.ts';

/** `show`: `mine` or `replies`. */
export const filterNames = ['q', 'show'] as const;
export type MessageFilters = FilterValues<(typeof filterNames)[number]>;

/** The filters as the query of the calls. */
export const queryOf = ({ q, show }: MessageFilters) => ({
  q: q.trim().slice(0, 200),
  mine: show === 'mine' ? ('true' as const) : ('' as const),
  newReply: show === 'replies' ? ('true' as const) : ('' as const),
});

/** The name of the status in the address of a message. */
export const statusName = 'messageStatus';

/** The status in an address, if there is such a status. */
export const statusOf = (text: string): MessageStatus | '' =>
  messageStatuses.find((status) => status === text) ?? '';

/** The address of a message in a list. @param messageStatus of the list; empty for all messages */
export const linkInList = (
  id: string,
  { q, show }: MessageFilters,
  messageStatus: MessageStatus | '',
): string => linkTo('message', id) + queryWith('', { [statusName]: messageStatus, q: q.trim(), show });

/** The address of the lists. */
export const linkToLists = ({ q, show }: MessageFilters): string =>
  linkTo('messages') + queryWith('', { q: q.trim(), show });
