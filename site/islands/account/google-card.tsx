/** Undoing the sign-in with Google; only who signs in with it sees this. */
import { Button } from '#components/button.tsx';
import { Card } from '#components/card.tsx';
import { useToast } from '#components/toast.tsx';
import { makeCall } from '../shared/call.ts';
import { Failure } from '../shared/failure.tsx';
import { useAction } from '../shared/use-action.ts';
import { useLoaded } from '../shared/use-loaded.ts';
import css from './account-screen.module.css';

export function GoogleCard() {
  const showToast = useToast();
  const link = useLoaded(
    'google',
    async (signal) => (await makeCall('GET /auth/google/link', { signal })).data,
  );
  const { act, isBusy, error } = useAction();
  if (!link.data?.isLinked) return null;
  const undo = () =>
    act(async () => {
      await makeCall('DELETE /auth/google/link');
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
