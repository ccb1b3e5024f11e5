/** What an order's customer has answered, and the button that lets them answer again. */
import { counted } from '#contract/counted.ts';
import type { Brief } from '#contract/plans.calls.ts';
import { isEnded } from '#contract/orders.ts';
import { Badge } from '#components/badge.tsx';
import { Button } from '#components/button.tsx';
import { useToast } from '#components/toast.tsx';
import { BriefAnswers } from '#site/islands/shared/brief-answers.tsx';
import { makeCall } from '#site/islands/shared/call.ts';
import { useAction } from '#site/islands/shared/use-action.ts';
import { Panel } from '../screen.tsx';
import type { OrderPanelProps } from './order-panel.ts';
import css from './brief-panel.module.css';

export interface BriefPanelProps extends OrderPanelProps {
  readonly brief: Brief;
  /** Whether it was sent, and opened again. */
  readonly isReopened: boolean;
}

export function BriefPanel({ order, brief, isReopened, onChange }: BriefPanelProps) {
  const { act, isBusy } = useAction(useToast());
  if (brief.questions.length === 0) return null;
  const isSent = brief.status === 'sent';
  const answered = brief.questions.filter(({ answer }) => answer.trim() !== '').length;

  const reopen = async () => {
    const body = { status: 'open' } as const;
    const call = () => makeCall('PUT /order/:id/brief', { id: order._id, body });
    if (await act(call, 'The questions are open again')) onChange();
  };

  return (
    <Panel
      title="Brief"
      aside={
        isSent ? (
          <Badge tone="success">Sent</Badge>
        ) : (
          <Badge tone="warning">
            {answered} of {counted(brief.questions.length, 'question')} answered
          </Badge>
        )
      }
    >
      {isReopened && <p>The questions are open again. The customer has not sent their answers yet.</p>}
      {answered === 0 ? (
        <p>The customer has not answered yet.</p>
      ) : (
        <details open={isSent}>
          <summary className={css['summary']}>Answers</summary>
          <BriefAnswers brief={brief} />
        </details>
      )}
      {isSent && !isEnded(order) && (
        <div>
          <Button variant="secondary" size="small" busy={isBusy} onClick={() => void reopen()}>
            Open again
          </Button>
          <p className={css['help']}>The customer is told by email and can change the answers.</p>
        </div>
      )}
    </Panel>
  );
}
