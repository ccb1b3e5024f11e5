/** The customer's answers to the brief, and the button that reopens it. */
import { counted } from '#contract/counted.ts';
import type { Brief } from '#contract/plans.calls.ts';
import { displayStatusOf, isEnded } from '#contract/orders.ts';
import { Badge } from '#site/ui/badge.tsx';
import { BriefAnswers } from '#site/features/brief/brief-answers.tsx';
import { api } from '#site/app/call.ts';
import { ActionButton } from '#site/app/action-button.tsx';
import { FoldedPanel } from '../shell/screen.tsx';
import type { WorkPanelProps } from './order-panel.ts';
import { stack } from '#site/ui/layout.ts';

export function BriefPanel({ order, work, brief }: WorkPanelProps & { readonly brief: Brief }) {
  const isSent = brief.status === 'sent';
  const answered = brief.questions.filter(({ answer }) => answer.trim() !== '').length;
  // Orders do not ask questions that were added after the payment, and a deleted customer cannot answer.
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
      {work.isBriefReopened && <p>Questions reopened. The customer has not sent their answers yet.</p>}
      {answered === 0 ? <p>The customer has not answered yet.</p> : <BriefAnswers brief={brief} />}
      {isSent && !isEnded(order) && (
        <div className={stack(2)}>
          <div>
            <ActionButton
              variant="secondary"
              size="small"
              action={() => api('PUT /order/:id/brief', { id: order._id, body: { status: 'open' } })}
              done="Questions reopened"
            >
              Reopen
            </ActionButton>
          </div>
          <p className="muted">The customer gets an email and can change the answers.</p>
        </div>
      )}
    </FoldedPanel>
  );
}
