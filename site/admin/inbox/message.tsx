/** One message of the contact form: read it, reply to it, mark it read, delete it. */
import { describeSource } from '#contract/source.ts';
import { linkTo } from '#contract/screens.ts';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Reply } from 'lucide-react';
import type { Message } from '#contract/inbox.calls.ts';
import { Status } from '#site/ui/badge.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { confirmDeletion } from '#site/ui/confirm.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { contactHref } from '#site/ui/safe-link.tsx';
import { api } from '#site/app/call.ts';
import { EmailLink } from '#site/ui/email-text.tsx';
import { Facts } from '../shell/facts.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { Notes } from '../notes/notes.tsx';
import { Replies } from './replies.tsx';
import { replyHref } from './reply.ts';
import { refetchInboxCounts } from '../shell/inbox-counts.ts';
import { LoadedScreen, Panel, ScreenFrame } from '../shell/screen.tsx';
import { callQuery, refetchScreen } from '#site/app/query.ts';
import { useMutation } from '#site/app/use-mutation.ts';
import css from './message.module.css';

const back = { href: linkTo('messages'), label: 'Messages' };

export default function MessageScreen({ id }: { readonly id: string }) {
  const query = useQuery(callQuery('GET /message/:id', { id }));
  const [isDeleted, setIsDeleted] = useState(false);
  const title = query.data?.subject ?? 'Message';
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
      query={query}
      lines={5}
    >
      {(message) => (
        <>
          <MessageView message={message} onDelete={() => setIsDeleted(true)} />
          <Replies message={message} />
          <Notes kind="message" id={id} />
        </>
      )}
    </LoadedScreen>
  );
}

function MessageView({ message, onDelete }: { readonly message: Message; readonly onDelete: () => void }) {
  const { _id, name, email, number, subject, messageStatus, receivedAt, source } = message;
  const phone = contactHref(number);
  const markRead = useMutation({
    mutationFn: () => api('PUT /message/:id', { id: _id, body: { messageStatus: 'Read' } }),
    done: 'Message is Read',
    toastsError: true,
  });
  const remove = useMutation({
    mutationFn: () => api('DELETE /message/:id', { id: _id }),
    done: '1 message deleted',
    toastsError: true,
    // The message itself is gone.
    changesNothing: true,
    onSuccess() {
      onDelete();
      refetchInboxCounts();
    },
    onError: () => void refetchScreen(),
  });
  const isBusy = markRead.isPending || remove.isPending;

  async function removeIfSure() {
    if (await confirmDeletion('Delete this message?')) remove.mutate();
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
        <LinkButton
          variant="secondary"
          href={replyHref(message)}
          icon={<Reply size="1.125rem" aria-hidden="true" />}
        >
          Reply in your mail program
        </LinkButton>
        {messageStatus === 'UnRead' && (
          <Button variant="secondary" busy={isBusy} onClick={() => markRead.mutate()}>
            Mark Read
          </Button>
        )}
        <Button variant="danger" busy={isBusy} onClick={() => void removeIfSure()}>
          Delete
        </Button>
      </div>
    </Panel>
  );
}
