/** Where the account is signed in, and signing out everywhere. */
import { useState } from 'react';
import type { SessionEntry } from '#contract/accounts.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { Badge } from '#components/badge.tsx';
import { Button } from '#components/button.tsx';
import { Card } from '#components/card.tsx';
import { ConfirmDialog } from '#components/confirm-dialog.tsx';
import { Table, type Column } from '#components/table.tsx';
import { useToast } from '#components/toast.tsx';
import { makeCall } from '../shared/call.ts';
import { Failure, WhenLoaded } from '../shared/failure.tsx';
import { Moment } from '../shared/moment.tsx';
import { useAction } from '../shared/use-action.ts';
import { forgetTyped } from '../shared/use-kept-fields.ts';
import { useLoaded } from '../shared/use-loaded.ts';
import { leaveFor } from '../shared/use-unsaved-guard.ts';

const When = ({ ms }: { readonly ms: number }) => <Moment at={new Date(ms).toISOString()} />;

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
  const [isAsking, setIsAsking] = useState(false);
  const sessions = useLoaded('sessions', async (signal) => {
    return (await makeCall('GET /auth/sessions', { signal })).data;
  });
  const showToast = useToast();
  const one = useAction();
  const { act, isBusy, error } = useAction();
  const endOne = ({ _id, device }: SessionEntry) =>
    void one.act(async () => {
      await makeCall('DELETE /auth/sessions/:id', { id: _id });
      showToast(`${device} is signed out`);
      sessions.reload();
    });
  const endAll = () =>
    act(async () => {
      await makeCall('DELETE /auth/sessions');
      forgetTyped();
      leaveFor(linkTo('login'));
    });
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
      <Button variant="secondary" busy={isBusy} onClick={() => setIsAsking(true)}>
        Sign out everywhere
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="Sign out everywhere?"
        confirm="Sign out everywhere"
        onConfirm={() => void endAll()}
      >
        Every device is signed out, this one too. You can log in again at once.
      </ConfirmDialog>
    </Card>
  );
}
