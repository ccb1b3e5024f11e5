/** One message of the contact form: read it, answer it by email, mark it read, delete it. */
import { describeSource } from '#contract/source.ts';
import { linkTo } from '#contract/screens.ts';
import { useState } from 'react';
import { Reply } from 'lucide-react';
import type { Message } from '#contract/inbox.calls.ts';
import { Status } from '#site/ui/badge.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { confirmDeletion } from '#site/ui/confirm.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { contactHref } from '#site/ui/safe-link.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { api } from '#site/app/call.ts';
import { EmailLink } from '#site/ui/email-text.tsx';
import { Facts } from '../shell/facts.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { replyHref } from './reply.ts';
import { LoadedScreen, Panel, ScreenFrame } from '../shell/screen.tsx';
import { refreshWaiting } from '../shell/inbox-counts.ts';
import { useLoaded } from '#site/app/use-loaded.ts';
import { useAction } from '#site/app/use-action.ts';
import css from './message.module.css';

const back = { href: linkTo('messages'), label: 'Messages' };

export default function MessageScreen({ id }: { readonly id: string }) {
  const loaded = useLoaded(id, async (signal) => (await api('GET /message/:id', { id, signal })).data);
  const [isDeleted, setIsDeleted] = useState(false);
  const title = loaded.data?.subject ?? 'Message';
  const wayOn = { ...back, label: 'All messages' };
  if (isDeleted)
    return (
      <ScreenFrame title={title} back={back}>
        <EmptyState
          title="This message is deleted"
          action={<LinkButton href={wayOn.href}>{wayOn.label}</LinkButton>}
        />
      </ScreenFrame>
    );
  return (
    <LoadedScreen
      title={title}
      back={back}
      missing={{
        title: 'There is no such message',
        why: 'It may have been deleted, or the address is misspelled.',
        wayOn,
      }}
      loaded={loaded}
      lines={5}
    >
      {(message) => (
        <MessageView message={message} onChange={loaded.reload} onDelete={() => setIsDeleted(true)} />
      )}
    </LoadedScreen>
  );
}

function MessageView({
  message,
  onChange,
  onDelete,
}: {
  readonly message: Message;
  readonly onChange: () => void;
  readonly onDelete: () => void;
}) {
  const { _id, name, email, number, subject, messageStatus, receivedAt, source } = message;
  const { act, isBusy } = useAction(useToast());
  const phone = contactHref(number);

  async function markRead() {
    const body = { messageStatus: 'Read' } as const;
    await act(() => api('PUT /message/:id', { id: _id, body }), 'Message is Read');
    onChange();
    refreshWaiting();
  }
  async function remove() {
    if (!(await confirmDeletion('Delete this message?'))) return;
    const isDeleted = await act(() => api('DELETE /message/:id', { id: _id }), '1 message deleted');
    if (isDeleted) onDelete();
    else onChange();
    refreshWaiting();
  }

  return (
    <Panel title={name} aside={<Status status={messageStatus} />}>
      <Facts
        facts={[
          ['Email', <EmailLink email={email} />],
          ['Phone number', phone === undefined ? number : <TextLink href={phone}>{number}</TextLink>],
          ['Subject', subject],
          ['Received', <DateTime at={receivedAt} />],
          ['Came from', describeSource(source)],
        ]}
      />
      <p className={css['text']}>{message.message}</p>
      <div className={css['actions']}>
        <LinkButton href={replyHref(message)} icon={<Reply size="1.125rem" aria-hidden="true" />}>
          Reply by email
        </LinkButton>
        {messageStatus === 'UnRead' && (
          <Button variant="secondary" busy={isBusy} onClick={() => void markRead()}>
            Mark Read
          </Button>
        )}
        <Button variant="danger" busy={isBusy} onClick={() => void remove()}>
          Delete
        </Button>
      </div>
    </Panel>
  );
}
