/** One message of the contact form: read it, answer it by mail, mark it read. */
import { useState } from 'react';
import { Reply } from 'lucide-react';
import { calls } from '../../../../worker/contract/calls.ts';
import type { Message } from '../../../../worker/contract/messages.ts';
import { Status } from '../../../components/badge.tsx';
import { Button, LinkButton } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { TextLink } from '../../../components/text-link.tsx';
import { useToast } from '../../../components/toast.tsx';
import { makeCall } from '../../shared/call.ts';
import { callErrorOf } from '../../shared/call-error.ts';
import { Facts } from '../facts.tsx';
import { WhenLoaded } from '../../shared/failure.tsx';
import { Moment } from '../moment.tsx';
import { Panel, ScreenFrame, type ScreenProps } from '../screen.tsx';
import { useLoaded } from '../../shared/use-loaded.ts';
import css from './message.module.css';

const back = { href: '/all-messages/', label: 'Messages' };

export default function MessageScreen({ id }: ScreenProps) {
  const loaded = useLoaded(
    id,
    async (signal) => (await makeCall<Message>(calls.readMessage, { id, signal })).data,
  );
  return (
    <ScreenFrame title={loaded.data?.subject ?? 'Message'} back={back}>
      {loaded.error?.status === 404 ? (
        <EmptyState
          title="There is no such message"
          action={<LinkButton href={back.href}>All messages</LinkButton>}
        >
          The address may be misspelt.
        </EmptyState>
      ) : (
        <WhenLoaded loaded={loaded}>
          {(message) => <MessageView message={message} onChange={loaded.reload} />}
        </WhenLoaded>
      )}
    </ScreenFrame>
  );
}

function MessageView({ message, onChange }: { readonly message: Message; readonly onChange: () => void }) {
  const { _id, name, email, number, subject, messageStatus, receivedAt } = message;
  const [isBusy, setIsBusy] = useState(false);
  const showToast = useToast();
  const reply = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(`Re: ${subject}`)}`;

  async function markRead() {
    setIsBusy(true);
    try {
      await makeCall(calls.updateMessage, { id: _id, body: { messageStatus: 'Read' } });
      showToast('Message is Read');
    } catch (error) {
      showToast(callErrorOf(error).message, 'danger');
    }
    setIsBusy(false);
    onChange();
  }

  return (
    <Panel title={name} aside={<Status status={messageStatus} />}>
      <Facts
        facts={[
          ['Email', <TextLink href={`mailto:${email}`}>{email}</TextLink>],
          ['Phone Number', <TextLink href={`tel:${number.replace(/[^\d+]/g, '')}`}>{number}</TextLink>],
          ['Subject', subject],
          ['Received', <Moment at={receivedAt} />],
        ]}
      />
      <p className={css['text']}>{message.message}</p>
      <div className={css['actions']}>
        <LinkButton href={reply} icon={<Reply size={18} aria-hidden="true" />}>
          Reply by mail
        </LinkButton>
        {messageStatus === 'UnRead' && (
          <Button variant="secondary" busy={isBusy} onClick={() => void markRead()}>
            Mark Read
          </Button>
        )}
      </div>
    </Panel>
  );
}
