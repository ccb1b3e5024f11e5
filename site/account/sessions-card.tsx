/** Where the account is signed in, and signing out everywhere. */
import type { SessionEntry } from '#contract/accounts.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { Badge } from '#site/ui/badge.tsx';
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { confirm } from '#site/ui/confirm.tsx';
import { Table, type Column } from '#site/ui/table.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { api } from '../app/call.ts';
import { Failure, WhenLoaded } from '../app/failure.tsx';
import { DateTime } from '../ui/date-time.tsx';
import { useAction } from '../app/use-action.ts';
import { forgetTyped } from '../app/use-session-fields.ts';
import { useLoaded } from '../app/use-loaded.ts';
import { leaveFor } from '../app/use-unsaved-guard.ts';

const When = ({ ms }: { readonly ms: number }) => <DateTime at={new Date(ms).toISOString()} />;

const sessionColumns = (onEnd: (session: SessionEntry) => void): readonly Column<SessionEntry>[] => [
  {
    key: 'device',
    header: 'Device',
    cell: ({ device, place, isCurrent }) => (
      <>
        {device}
        {place && `, ${place}`} {isCurrent && <Badge tone="info">This one</Badge>}
      </>
    ),
  },
  { key: 'createdAt', header: 'Signed in', cell: ({ createdAt }) => <When ms={createdAt} /> },
  { key: 'lastUsedAt', header: 'Last used', cell: ({ lastUsedAt }) => <When ms={lastUsedAt} /> },
  {
    key: 'end',
    header: 'End',
    cell: (session) =>
      !session.isCurrent && (
        <Button
          variant="quiet"
          size="small"
          aria-label={`Sign out ${session.device}`}
          onClick={() => onEnd(session)}
        >
          Sign out
        </Button>
      ),
  },
];

export function SessionsCard() {
  const sessions = useLoaded('sessions', async (signal) => {
    return (await api('GET /auth/sessions', { signal })).data;
  });
  const showToast = useToast();
  const one = useAction();
  const { act, isBusy, error } = useAction();
  const endOne = ({ _id, device }: SessionEntry) =>
    void one.act(async () => {
      await api('DELETE /auth/sessions/:id', { id: _id });
      showToast(`${device} is signed out`);
      sessions.reload();
    });
  const endAll = async () => {
    const isSure = await confirm({
      title: 'Sign out everywhere?',
      text: 'Every device is signed out, this one too. You can log in again at once.',
      confirm: 'Sign out everywhere',
    });
    if (!isSure) return;
    await act(async () => {
      await api('DELETE /auth/sessions');
      forgetTyped();
      leaveFor(linkTo('login'));
    });
  };
  return (
    <Card title="Where you are signed in">
      <WhenLoaded loaded={sessions}>
        {(rows) => (
          <Table
            caption="Devices that are signed in to your account"
            columns={sessionColumns(endOne)}
            rows={rows}
            rowKey={({ device, createdAt }) => `${createdAt} ${device}`}
          />
        )}
      </WhenLoaded>
      {one.error && <Failure error={one.error} />}
      {error && <Failure error={error} />}
      <Button variant="secondary" busy={isBusy} onClick={() => void endAll()}>
        Sign out everywhere
      </Button>
    </Card>
  );
}
