/** The edit screen of the payment key, and the keys that it was before. */
import { useState } from 'react';
import type { z } from 'zod';
import { paymentKeyChange } from '#contract/payments.calls.ts';
import type { SavedKey } from '#contract/payments.calls.ts';
import { Button } from '#site/ui/button.tsx';
import { Table } from '#site/ui/table.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { api } from '#site/app/call.ts';
import { EmailText } from '#site/ui/email-text.tsx';
import { WhenLoaded } from '#site/app/failure.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { useAction } from '#site/app/use-action.ts';
import { useLoaded } from '#site/app/use-loaded.ts';
import { KeyField, keyLabels, keySaved } from '../content/editor/key-field.tsx';
import { SettingScreen, type Setting } from '../content/editor/setting-screen.tsx';
import { Panel } from '../shell/screen.tsx';
import { paymentKeyHome } from '../content/section-homes.ts';
import css from './edit-payment-key.module.css';

const settingOf = (onSaved: () => void): Setting<z.output<typeof paymentKeyChange>> => ({
  name: 'payment-key',
  heading: 'Edit payment key',
  home: paymentKeyHome,
  missing: 'There is no such payment key',
  labels: keyLabels,
  titleField: 'stripeKey',
  schema: paymentKeyChange,
  read: (id, signal) => api('GET /stripe-key/:id', { id, signal }),
  async update(id, body, ifMatch) {
    const saved = await api('PUT /stripe-key/:id', { id, body, ifMatch });
    onSaved();
    return saved;
  },
  saved: keySaved,
  fields: (draft) => <KeyField draft={draft} />,
});

export default function EditPaymentKey({ id }: { readonly id: string }) {
  const history = useLoaded(
    'keys',
    async (signal) => (await api('GET /stripe-key-history', { signal })).data,
  );
  /** The form begins anew with each restored key. */
  const [restores, setRestores] = useState(0);
  const onRestored = () => {
    setRestores((count) => count + 1);
    history.reload();
  };
  return (
    <>
      <SettingScreen key={restores} id={id} of={settingOf(history.reload)} />
      <div className={css['earlier']}>
        <WhenLoaded loaded={history}>
          {(saved) => <EarlierKeys id={id} saved={saved} onRestored={onRestored} />}
        </WhenLoaded>
      </div>
    </>
  );
}

interface EarlierKeysProps {
  readonly id: string;
  /** Newest first; the first is in use. */
  readonly saved: readonly SavedKey[];
  readonly onRestored: () => void;
}

function EarlierKeys({ id, saved, onRestored }: EarlierKeysProps) {
  const { act, isBusy } = useAction(useToast());
  const [current] = saved;
  const earlier = saved.filter(({ stripeKey }) => stripeKey !== current?.stripeKey);
  const restore = async ({ stripeKey }: SavedKey) => {
    if (await act(() => api('PUT /stripe-key/:id', { id, body: { stripeKey } }), keySaved)) onRestored();
  };
  return (
    <Panel title="Earlier keys">
      <Table
        caption="Earlier keys"
        rows={earlier}
        rowKey={({ _id }) => _id}
        columns={[
          { key: 'key', header: 'Key', wide: true, phone: 'whole', cell: ({ stripeKey }) => stripeKey },
          { key: 'at', header: 'Saved', phone: 'plain', cell: ({ at }) => <DateTime at={at} /> },
          { key: 'by', header: 'By', phone: 'named', cell: ({ by }) => by && <EmailText email={by} /> },
          {
            key: 'restore',
            header: 'Restore',
            phone: 'way',
            cell: (key) => (
              <Button
                variant="secondary"
                size="small"
                busy={isBusy}
                aria-label={`Use ${key.stripeKey} again`}
                onClick={() => void restore(key)}
              >
                Use again
              </Button>
            ),
          },
        ]}
        empty={<p>Once you change the key, the one before is listed here.</p>}
      />
    </Panel>
  );
}
