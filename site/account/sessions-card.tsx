/** The account's sessions, with buttons to end one or all of them. */
import { useState } from 'react';
import type { SessionEntry } from '#contract/accounts.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { Badge } from '#site/ui/badge.tsx';
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { Table, type Column } from '#site/ui/table.tsx';
import { api } from '../app/call.ts';
import { ActionButton } from '../app/action-button.tsx';
import { Failure } from '../app/failure.tsx';
import { QueryBoundary } from '../app/query-boundary.tsx';
import { DateTime } from '../ui/date-time.tsx';
import { useMutation } from '../app/use-mutation.ts';
import { forgetTyped } from '../app/use-session-fields.ts';
import { useCall } from '../app/query.ts';
import { leaveFor } from '../app/use-unsaved-guard.ts';

/** How many of the latest sessions are listed at first. */
const latest = 5;

const When = ({ ms }: { readonly ms: number }) => <DateTime at={new Date(ms).toISOString()} />;

const sessionColumns = (onEnd: (session: SessionEntry) => void): readonly Column<SessionEntry>[] => [
  {
    header: 'Device',
    cell: ({ device, place, isCurrent }) => (
      <>
        {device}
        {place && `, ${place}`} {isCurrent && <Badge tone="info">This device</Badge>}
      </>
    ),
  },
  { header: 'Logged in', cell: ({ createdAt }) => <When ms={createdAt} /> },
  { header: 'Last used', cell: ({ lastUsedAt }) => <When ms={lastUsedAt} /> },
  {
    header: 'Action',
    cell: (session) =>
      !session.isCurrent && (
        <div className="flush">
          <Button
            variant="quiet"
            size="small"
            aria-label={`Sign out ${session.device}`}
            onClick={() => onEnd(session)}
          >
            Sign out
          </Button>
        </div>
      ),
  },
];

export function SessionsCard() {
  const sessions = useCall('GET /auth/sessions');
  const [showsAll, setShowsAll] = useState(false);
  const endOne = useMutation({
    mutationFn: ({ _id }: SessionEntry) => api('DELETE /auth/sessions/:id', { id: _id }),
    done: (_, { device }) => `${device} is signed out`,
  });
  return (
    <Card title="Where you are logged in">
      <QueryBoundary query={sessions}>
        {(rows) => (
          <>
            <Table
              caption="Devices that are logged in to your account"
              columns={sessionColumns(endOne.mutate)}
              rows={rows.filter(({ isCurrent }, index) => showsAll || isCurrent || index < latest)}
            />
            {rows.length > latest && (
              <p>
                <Button variant="secondary" size="small" onClick={() => setShowsAll(!showsAll)}>
                  {showsAll ? `Show the latest ${latest}` : `Show all ${rows.length} sessions`}
                </Button>
              </p>
            )}
          </>
        )}
      </QueryBoundary>
      <Failure error={endOne.error} />
      <ActionButton
        variant="secondary"
        action={() => api('DELETE /auth/sessions')}
        question={{
          title: 'Sign out everywhere?',
          text: 'Every device will be signed out, including this one. You can log in again right away.',
          confirm: 'Sign out everywhere',
        }}
        changesNothing
        showsError
        onSuccess={() => {
          forgetTyped();
          leaveFor(linkTo('login'));
        }}
      >
        Sign out everywhere
      </ActionButton>
    </Card>
  );
}
