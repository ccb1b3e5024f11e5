/** The delivery, and the customer's answer to it. */
import { useRef } from 'react';
import type { Conversation } from '#contract/conversations.calls.ts';
import type { Side } from '#contract/conversations.ts';
import { Button } from '#site/ui/button.tsx';
import { api } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { focusHeading } from '#site/ui/focus-heading.ts';
import { DateTime } from '#site/ui/date-time.tsx';
import { useMutation } from '#site/app/use-mutation.ts';
import { FileLinks } from './files.tsx';
import { TextWithLinks } from './text-with-links.tsx';
import { cluster, stack } from '#site/ui/layout.ts';

interface DeliveryCardProps {
  readonly orderId: string;
  readonly delivery: NonNullable<Conversation['delivery']>;
  readonly side: Side;
  /** Whether the customer is currently describing what is missing. */
  readonly isReopening: boolean;
  readonly onMissing: () => void;
}

const answers = {
  customer: {
    thanks: 'You thanked us. We are glad to help.',
    missing: 'You told us that something is missing. We answer below.',
  },
  staff: {
    thanks: 'The customer said thank you.',
    missing: 'The customer says that something is missing: see below.',
  },
} as const;

export function DeliveryCard({
  orderId,
  delivery: { _id, at, text, files, answer },
  side,
  isReopening,
  onMissing,
}: DeliveryCardProps) {
  const card = useRef<HTMLDivElement>(null);
  const thank = useMutation({
    mutationFn: () =>
      api('POST /order/:id/messages', {
        id: orderId,
        body: { kind: 'thanks', delivery: _id },
        // Thanks are sent only once per delivery, even from several windows.
        idempotencyKey: `thanks-${_id}`,
      }),
    done: 'Thank-you sent',
    onSuccess: () => focusHeading(card.current),
  });
  return (
    <div ref={card} className={stack(3)}>
      <p className="note">
        <DateTime at={at} />
      </p>
      {text && (
        <p className="multiline">
          <TextWithLinks text={text} />
        </p>
      )}
      <FileLinks files={files} />
      {answer && <p>{answers[side][answer]}</p>}
      <Failure error={thank.error} />
      {side === 'customer' && answer !== 'missing' && !isReopening && (
        <div className={cluster(2)}>
          {answer === null && (
            <Button busy={thank.isPending} onClick={() => thank.mutate()}>
              Thank you
            </Button>
          )}
          <Button variant="secondary" onClick={onMissing}>
            Something is missing
          </Button>
        </div>
      )}
    </div>
  );
}
