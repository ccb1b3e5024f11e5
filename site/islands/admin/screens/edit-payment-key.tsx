/** The edit screen of the payment key. */
import type { z } from 'zod';
import { paymentKeyChange } from '#contract/calls/payments.ts';
import { makeCall } from '#site/islands/shared/call.ts';
import { KeyField, keyLabels, keySaved } from '../editor/key-field.tsx';
import { SettingScreen, type Setting } from '../editor/setting-screen.tsx';
import { paymentKeyHome } from '../section-homes.ts';

const paymentKey: Setting<z.output<typeof paymentKeyChange>> = {
  name: 'payment-key',
  heading: 'Edit payment key',
  home: paymentKeyHome,
  missing: 'There is no such payment key',
  labels: keyLabels,
  titleField: 'stripeKey',
  schema: paymentKeyChange,
  read: (id, signal) => makeCall('GET /stripe-key/:id', { id, signal }),
  update: (id, body, ifMatch) => makeCall('PUT /stripe-key/:id', { id, body, ifMatch }),
  saved: keySaved,
  fields: (draft) => <KeyField draft={draft} />,
};

export default function EditPaymentKey({ id }: { readonly id: string }) {
  return <SettingScreen id={id} of={paymentKey} />;
}
