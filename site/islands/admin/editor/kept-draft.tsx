/** Says that something was typed here and not saved, and offers to go on with it. */
import { Alert } from '#components/alert.tsx';
import { Button } from '#components/button.tsx';
import { Moment } from '#site/islands/shared/moment.tsx';
import type { Values } from '../content-calls.ts';
import type { Offer } from './use-kept-draft.ts';

export function KeptDraft({
  offer: { offered, decide, forget },
  onContinue,
}: {
  readonly offer: Offer;
  /** @param version of the record from which it was typed; null for a new one */
  readonly onContinue: (values: Values, version: number | null) => void;
}) {
  if (!offered) return null;
  return (
    <Alert
      tone="info"
      title="You typed something here and did not save it"
      action={
        <>
          <Button
            size="small"
            onClick={() => {
              decide();
              onContinue(offered.values, offered.version);
            }}
          >
            Go on with it
          </Button>{' '}
          <Button variant="quiet" size="small" onClick={forget}>
            Forget it
          </Button>
        </>
      }
    >
      It was kept for you <Moment at={offered.at} />.
    </Alert>
  );
}
