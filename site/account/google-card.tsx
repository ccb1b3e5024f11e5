/** Undoing the sign-in with Google; only who signs in with it sees this. */
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { api } from '../app/call.ts';
import { Failure } from '../app/failure.tsx';
import { useAction } from '../app/use-action.ts';
import { useLoaded } from '../app/use-loaded.ts';
import css from './account-screen.module.css';

export function GoogleCard() {
  const showToast = useToast();
  const link = useLoaded('google', async (signal) => (await api('GET /auth/google/link', { signal })).data);
  const { act, isBusy, error } = useAction();
  if (!link.data?.isLinked) return null;
  const undo = () =>
    act(async () => {
      await api('DELETE /auth/google/link');
      showToast('Your account no longer opens with Google.');
      link.reload();
    });
  return (
    <Card title="Google">
      <p className={css['note']}>You can log in with your Google account.</p>
      {error && <Failure error={error} />}
      <Button variant="secondary" busy={isBusy} onClick={() => void undo()}>
        Stop logging in with Google
      </Button>
    </Card>
  );
}
