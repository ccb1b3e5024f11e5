/** Actions for several messages at once. Each message is changed by a separate call. */
import type { Message } from '#contract/inbox.calls.ts';
import type { MessageStatus } from '#contract/inbox.ts';
import { api } from '#site/app/call.ts';
import type { BulkAction, BulkActions } from '../lists/use-bulk-actions.ts';

const markRead: BulkAction<Message> = {
  label: 'Mark read',
  done: 'marked read',
  change: ({ _id }) => api('PUT /message/:id', { id: _id, body: { messageStatus: 'Read' } }),
};

const remove: BulkAction<Message> = {
  label: 'Delete',
  done: 'deleted',
  isDanger: true,
  question: (count) => ({ title: `Delete ${count}?`, text: 'You cannot undo this.' }),
  change: ({ _id }) => api('DELETE /message/:id', { id: _id }),
};

export const messageBulkActions = (status: MessageStatus): BulkActions<Message> => ({
  noun: 'message',
  nameOf: ({ name }) => name,
  actions: status === 'UnRead' ? [markRead, remove] : [remove],
});
