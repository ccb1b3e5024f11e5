/** What can be done with several messages at once, each by the call that changes one. */
import type { Message } from '#contract/inbox.calls.ts';
import type { MessageStatus } from '#contract/inbox.ts';
import { makeCall } from '#site/islands/shared/call.ts';
import type { SeveralAction, SeveralActions } from '../lists/use-several.ts';

const markRead: SeveralAction<Message> = {
  label: 'Mark read',
  done: 'marked read',
  change: ({ _id }) => makeCall('PUT /message/:id', { id: _id, body: { messageStatus: 'Read' } }),
};

const remove: SeveralAction<Message> = {
  label: 'Delete',
  done: 'deleted',
  isDanger: true,
  question: (count) => ({ title: `Delete ${count}?`, text: 'What is deleted does not come back.' }),
  change: ({ _id }) => makeCall('DELETE /message/:id', { id: _id }),
};

/** @param onDone called once something was done */
export const severalMessages = (status: MessageStatus, onDone: () => void): SeveralActions<Message> => ({
  noun: 'message',
  nameOf: ({ name }) => name,
  actions: status === 'UnRead' ? [markRead, remove] : [remove],
  onDone,
});
