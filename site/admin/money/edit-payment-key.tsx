/** The edit screen of the payment key, with the key's history. */
import { useState } from 'react';
import type { SavedKey } from '#contract/payments.calls.ts';
import { Card } from '#site/ui/card.tsx';
import { Table } from '#site/ui/table.tsx';
import { api } from '#site/app/call.ts';
import { EmailText } from '#site/ui/email-text.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { ActionButton } from '#site/app/action-button.tsx';
import { useCall } from '#site/app/query.ts';
import { keyErrors, KeyField, keyLabels, keySaved } from './key-field.tsx';
import { SettingScreen, type Setting } from '../content/editor/setting-screen.tsx';
import { paymentKeyHome } from '../content/section-homes.ts';
import { stack } from '#site/ui/layout.ts';

const paymentKey: Setting = {
  name: 'payment-key',
  heading: 'Edit payment key',
  home: paymentKeyHome,
  missing: 'We could not find this payment key',
  labels: keyLabels,
  titleField: 'stripeKey',
  check: keyErrors,
  call: 'GET /stripe-key/:id',
  update: (id, { stripeKey = '' }, ifMatch) =>
    api('PUT /stripe-key/:id', { id, body: { stripeKey }, ifMatch }),
  saved: keySaved,
  fields: (draft) => <KeyField draft={draft} />,
};

export default function EditPaymentKey({ id }: { readonly id: string }) {
  const history = useCall('GET /stripe-key-history');
  /** Restoring a key resets the form. */
  const [restores, setRestores] = useState(0);
  const onRestored = () => setRestores((count) => count + 1);
  return (
    <div className={stack(5)}>
      <SettingScreen key={restores} id={id} of={paymentKey} />
      <QueryBoundary query={history}>
        {(saved) => <EarlierKeys id={id} saved={saved} onRestored={onRestored} />}
      </QueryBoundary>
    </div>
  );
}

interface EarlierKeysProps {
  readonly id: string;
  /** Newest first. The first one is in use. */
  readonly saved: readonly SavedKey[];
  readonly onRestored: () => void;
}

function EarlierKeys({ id, saved, onRestored }: EarlierKeysProps) {
  const [current] = saved;
  const earlier = saved.filter(({ stripeKey }) => stripeKey !== current?.stripeKey);
  return (
    <Card title="Earlier keys">
      <Table
        caption="Earlier keys"
        rows={earlier}
        columns={[
          { header: 'Key', wide: true, phone: 'whole', cell: ({ stripeKey }) => stripeKey },
          { header: 'Saved', phone: 'plain', cell: ({ at }) => <DateTime at={at} /> },
          { header: 'By', phone: 'named', cell: ({ by }) => by && <EmailText email={by} /> },
          {
            header: 'Restore',
            phone: 'way',
            cell: ({ stripeKey }) => (
              <ActionButton
                variant="secondary"
                size="small"
                aria-label={`Use ${stripeKey} again`}
                action={() => api('PUT /stripe-key/:id', { id, body: { stripeKey } })}
                done={keySaved}
                onSuccess={onRestored}
              >
                Use again
              </ActionButton>
            ),
          },
        ]}
        empty={<p>After you change the key, the previous one is listed here.</p>}
      />
    </Card>
  );
}
