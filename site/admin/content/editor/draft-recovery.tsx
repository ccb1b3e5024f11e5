/** Offers to continue with unsaved drafts, newest first, one at a time. */
import { counted } from '#contract/counted.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { confirm, type Question } from '#site/ui/confirm.tsx';
import { focusHeading } from '#site/ui/focus-heading.ts';
import { DateTime } from '#site/ui/date-time.tsx';
import type { Values } from '../content-calls.ts';
import type { Offer } from './use-draft-recovery.ts';

const discardQuestion: Question = {
  title: 'Discard these changes?',
  text: 'You cannot get them back.',
  confirm: 'Discard changes',
  decline: 'Keep them',
  variant: 'danger',
};

export function DraftRecovery({
  offer: { offered, resumeDraft, forget },
  onContinue,
}: {
  readonly offer: Offer;
  /** @param version the version of the record that was edited; null for a new one */
  readonly onContinue: (values: Values, version: number | null) => void;
}) {
  const [draft, ...older] = offered;
  if (!draft) return null;
  async function discardIfSure(button: HTMLElement) {
    if (!draft || !(await confirm(discardQuestion))) return;
    focusHeading(button);
    forget(draft);
  }
  return (
    <Alert
      tone="info"
      title="You have unsaved changes here"
      action={
        <>
          <Button
            size="small"
            onClick={() => {
              resumeDraft(draft);
              onContinue(draft.values, draft.version);
            }}
          >
            Continue editing
          </Button>{' '}
          <Button
            variant="quiet"
            size="small"
            onClick={({ currentTarget }) => void discardIfSure(currentTarget)}
          >
            Discard changes
          </Button>
        </>
      }
    >
      We saved them on <DateTime at={draft.at} />.
      {older.length > 0 && ` ${counted(older.length, 'older draft')} will appear next.`}
    </Alert>
  );
}
