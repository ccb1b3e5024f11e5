/** Removes Google sign-in. Only users with Google sign-in see this. */
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { api } from '../app/call.ts';
import { Failure } from '../app/failure.tsx';
import { useMutation } from '../app/use-mutation.ts';
import { useCall } from '../app/query.ts';
import typography from '#site/ui/typography.module.css';

export function GoogleCard() {
  const link = useCall('GET /auth/google/link');
  const undo = useMutation({
    mutationFn: () => api('DELETE /auth/google/link'),
    done: 'You can no longer log in with Google.',
  });
  if (!link.data?.isLinked) return null;
  return (
    <Card title="Google">
      <p className={typography['muted']}>You can log in with your Google account.</p>
      {undo.error && <Failure error={undo.error} />}
      <Button variant="secondary" busy={undo.isPending} onClick={() => undo.mutate()}>
        Unlink Google
      </Button>
    </Card>
  );
}
