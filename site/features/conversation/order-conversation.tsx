/** The conversation on an order: the delivery, the messages with their files, and the form for the next message. */
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Conversation, ConversationMessage } from '#contract/conversations.calls.ts';
import { messagesFragment, type Side } from '#contract/conversations.ts';
import { counted } from '#contract/counted.ts';
import { Badge } from '#site/ui/badge.tsx';
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { callErrorOf } from '#site/app/call-error.ts';
import { api, type ApiResponse } from '#site/app/call.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { QuotedText } from '#site/ui/quoted-text.tsx';
import { useMutation } from '#site/app/use-mutation.ts';
import { responseQuery } from '#site/app/query.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { Composer, messageForm } from './composer.tsx';
import { DeliveryCard } from './delivery-card.tsx';
import { FileLinks } from './files.tsx';
import { firstShown, isNewIn, joinMessages, seenTo, type Part } from './join-messages.ts';
import { formOf } from './picked-for.ts';
import { TextWithLinks } from './text-with-links.tsx';
import { withoutCancelled } from './upload.ts';
import { row, stack } from '#site/ui/layout.ts';
import css from './conversation.module.css';

interface OrderConversationProps {
  readonly orderId: string;
  /** The customer's name; empty on a customer's own screen. */
  readonly customerName?: string;
  /** Whether the customer's account was deleted, so that no one can read a message. */
  readonly isCustomerGone?: boolean;
}

const conversationIn = ({ data }: ApiResponse<Conversation>): Conversation => ({
  ...data,
  unsentFiles: withoutCancelled(data.unsentFiles),
});

export function OrderConversation({
  orderId,
  customerName = '',
  isCustomerGone = false,
}: OrderConversationProps) {
  const query = useQuery({
    ...responseQuery('GET /order/:id/messages', { id: orderId }),
    select: conversationIn,
  });
  const { data, refetch } = query;
  /** The delivery that the customer is currently reporting as incomplete. */
  const [reopened, setReopened] = useState<string>();
  useRefetchOnFocus(() => void refetch());
  const { delivery } = data ?? {};
  const missingFrom = delivery?.answer !== 'missing' && delivery?._id === reopened ? reopened : undefined;
  return (
    <>
      {data && delivery && (
        <Card title="Delivered" aside={<DeliveryAnswer answer={delivery.answer} />}>
          <DeliveryCard
            orderId={orderId}
            delivery={delivery}
            side={data.side}
            isReopening={missingFrom !== undefined}
            onMissing={() => setReopened(delivery._id)}
          />
        </Card>
      )}
      <Card
        title="Messages and files"
        aside={data && data.unread > 0 && <Badge tone="info">{data.unread} new</Badge>}
      >
        <QueryBoundary query={query} lines={4}>
          {(conversation) => (
            <>
              <Messages
                orderId={orderId}
                conversation={conversation}
                customerName={customerName}
                isCustomerGone={isCustomerGone}
              />
              <Composer
                orderId={orderId}
                missingFrom={missingFrom}
                isCustomerGone={isCustomerGone}
                unsent={unsentMessageFiles(conversation)}
                onBack={() => setReopened(undefined)}
              />
              <p className="note">{describeKeeping(conversation.keptDays)}</p>
            </>
          )}
        </QueryBoundary>
      </Card>
    </>
  );
}

const describeKeeping = (days: number): string =>
  `We delete messages after ${days === 730 ? '24 months' : counted(days, 'day')}. Files, deliveries and notes on steps stay with the order.`;

/**
 * Files that were picked for a message here. Customers have no other form, so they also see files that were picked
 * elsewhere.
 */
const unsentMessageFiles = ({ side, unsentFiles }: Conversation) =>
  unsentFiles.filter(
    ({ _id }) => (formOf(_id) ?? (side === 'customer' ? messageForm : undefined)) === messageForm,
  );

/**
 * Tells the server which messages the user has seen. New messages stay marked on this screen until it reloads. A
 * background tab is not visible, so the conversation reloads when the user returns to it.
 * @param shown everything on the screen
 */
function useMarkRead(orderId: string, conversation: Conversation, shown: Part): void {
  const readTo = seenTo(shown, conversation);
  useEffect(() => {
    if (conversation.unread === 0 || readTo === undefined || document.visibilityState === 'hidden') return;
    // If this fails, the messages are marked as read next time.
    api('PUT /order/:id/messages', { id: orderId, body: { readTo } }).catch(callErrorOf);
  }, [orderId, conversation, readTo]);
}

/**
 * Focuses the first new message, or otherwise the last one, if the URL asks for the messages. The messages load after
 * the page, so the browser cannot focus them.
 * @returns the ref for the list of messages
 */
function useLanding(): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (location.hash !== messagesFragment) return;
    const message =
      list.current?.querySelector<HTMLElement>('[data-new]') ?? list.current?.querySelector('li:last-child');
    if (!(message instanceof HTMLElement)) return;
    message.tabIndex = -1;
    message.focus({ preventScroll: true });
    message.scrollIntoView({ block: 'center' });
  }, []);
  return list;
}

function DeliveryAnswer({ answer }: { readonly answer: 'thanks' | 'missing' | null }) {
  if (answer === null) return null;
  return answer === 'thanks' ? (
    <Badge tone="success">Thank you</Badge>
  ) : (
    <Badge tone="warning">Something is missing</Badge>
  );
}

interface MessagesProps {
  readonly orderId: string;
  readonly conversation: Conversation;
  readonly customerName: string;
  readonly isCustomerGone: boolean;
}

interface Known {
  readonly last: Conversation;
  readonly all: Part;
}

function Messages({ orderId, conversation, customerName, isCustomerGone }: MessagesProps) {
  const { side } = conversation;
  const isNew = isNewIn(conversation);
  // Loaded messages are kept. Each response adds the newest ones.
  const [known, setKnown] = useState<Known>({ last: conversation, all: conversation });
  if (known.last !== conversation)
    setKnown({ last: conversation, all: joinMessages(known.all, conversation) });
  const { messages: loaded } = known.all;
  const [from, setFrom] = useState(() => firstShown(conversation));
  const shown = loaded.filter(({ sequence }) => sequence >= from);
  const hasEarlier = known.all.hasEarlier || shown.length < loaded.length;
  useMarkRead(orderId, conversation, known.all);
  const list = useLanding();
  const readEarlier = useMutation({
    mutationFn: () => api('GET /order/:id/messages', { id: orderId, query: { before: loaded[0]?.sequence } }),
    changesNothing: true,
    onSuccess: ({ data: before }) =>
      setKnown(({ last, all }) => ({
        last,
        all: { ...joinMessages(before, all), hasEarlier: before.hasEarlier },
      })),
  });
  if (shown.length === 0)
    return (
      <p className="note">
        {side === 'customer'
          ? 'Ask us anything about this order, or send us files for it. We reply here and notify you by email.'
          : isCustomerGone
            ? 'There are no messages.'
            : 'No messages yet. When you write one, we notify the customer by email.'}
      </p>
    );
  return (
    <>
      {hasEarlier && (
        <Button
          variant="secondary"
          size="small"
          busy={readEarlier.isPending}
          onClick={() => {
            setFrom(0);
            if (shown.length === loaded.length) readEarlier.mutate();
          }}
        >
          Show earlier messages
        </Button>
      )}
      {readEarlier.error && <p role="alert">{readEarlier.error.message}</p>}
      <ul ref={list} className={stack(3)}>
        {shown.map((message) => (
          <Message
            key={message._id}
            message={message}
            side={side}
            customerName={customerName}
            isNew={isNew(message)}
          />
        ))}
      </ul>
    </>
  );
}

const writerOf = ({ side: writer, by }: ConversationMessage, reader: Side, customerName: string): string => {
  if (writer === 'customer') return reader === 'customer' ? 'You' : customerName || 'Customer';
  return reader === 'customer' ? 'Our team' : by || 'Our team';
};

/** What a message without words says. */
const kindTexts = {
  message: '',
  delivery: 'Delivered.',
  thanks: 'Thank you!',
  missing: '',
} as const;

interface MessageProps {
  readonly message: ConversationMessage;
  readonly side: Side;
  readonly customerName: string;
  readonly isNew: boolean;
}

function Message({ message, side, customerName, isNew }: MessageProps) {
  const { kind, text, quoted, at, files } = message;
  return (
    <li
      className={stack(2, css['message'])}
      data-own={message.side === side || undefined}
      data-new={isNew || undefined}
    >
      <p className={row([0, 2])}>
        <strong>{writerOf(message, side, customerName)}</strong> <DateTime at={at} className="note" />{' '}
        {kind === 'delivery' && <Badge tone="success">Delivered</Badge>}{' '}
        {kind === 'missing' && <Badge tone="warning">Something is missing</Badge>}{' '}
        {isNew && <Badge tone="info">New</Badge>}
      </p>
      {(text || kindTexts[kind]) && (
        <p className="multiline">
          <TextWithLinks text={text || kindTexts[kind]} />
        </p>
      )}
      <QuotedText text={quoted} />
      <FileLinks files={files} />
    </li>
  );
}
