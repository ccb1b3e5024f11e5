/** The customer's answers to the brief, and the button that reopens it. */
import { counted } from '#contract/counted.ts';
import type { Brief } from '#contract/plans.calls.ts';
import { displayStatusOf, isEnded } from '#contract/orders.ts';
import { Badge } from '#site/ui/badge.tsx';
import { Button } from '#site/ui/button.tsx';
import { BriefAnswers } from '#site/features/brief/brief-answers.tsx';
import { api } from '#site/app/call.ts';
import { useMutation } from '#site/app/use-mutation.ts';
import { FoldedPanel } from '../shell/screen.tsx';
import type { WorkPanelProps } from './order-panel.ts';
import css from './brief-panel.module.css';

export interface BriefPanelProps extends WorkPanelProps {
  readonly brief: Brief;
}

export function BriefPanel({ order, work, brief }: BriefPanelProps) {
  const { mutate: reopen, isPending } = useMutation({
    mutationFn: () => api('PUT /order/:id/brief', { id: order._id, body: { status: 'open' } }),
    done: 'The questions are open again',
    toastsError: true,
  });
  const isSent = brief.status === 'sent';
  const answered = brief.questions.filter(({ answer }) => answer.trim() !== '').length;
  // An order is not asked what was added after its payment, and nobody answers for a deleted customer.
  if (work.brief === 'none' && answered === 0) return null;

  return (
    <FoldedPanel
      title="Brief"
      isNeeded={displayStatusOf(order) === 'In progress'}
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
      {work.isBriefReopened && (
        <p>The questions are open again. The customer has not sent their answers yet.</p>
      )}
      {answered === 0 ? <p>The customer has not answered yet.</p> : <BriefAnswers brief={brief} />}
      {isSent && !isEnded(order) && (
        <div>
          <Button variant="secondary" size="small" busy={isPending} onClick={() => reopen()}>
            Open again
          </Button>
          <p className={css['help']}>The customer gets an email and can change the answers.</p>
        </div>
      )}
    </FoldedPanel>
  );
}
