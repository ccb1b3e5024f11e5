/** Text that can no longer be sent: why not, and the button that discards it. */
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { focusHeading } from './focus-heading.ts';

interface NotSentProps {
  readonly title: string;
  /** Why it cannot be sent, in a sentence. */
  readonly reason: string;
  readonly onDiscard: () => void;
}

export const NotSent = ({ title, reason, onDiscard }: NotSentProps) => (
  <Alert
    tone="info"
    title={title}
    action={
      <Button
        variant="secondary"
        size="small"
        onClick={({ currentTarget }) => {
          // The form disappears together with the pressed button.
          focusHeading(currentTarget);
          onDiscard();
        }}
      >
        Discard text
      </Button>
    }
  >
    {reason} What you typed is still here.
  </Alert>
);
