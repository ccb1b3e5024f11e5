/** The edit screen of the payment key. */
import { paymentKeyChange } from '#contract/calls/payments.ts';
import { useToast } from '#components/toast.tsx';
import { makeCall } from '#site/islands/shared/call.ts';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { versioned, type VersionedRecord } from '../content-calls.ts';
import { fieldErrorsOf } from '#contract/problem.ts';
import { KeyField, keyLabels, keySaved } from '../editor/key-field.tsx';
import { useVersionedDraft } from '../editor/use-versioned-draft.ts';
import { VersionedForm, VersionedScreen } from '../editor/versioned-form.tsx';
import { paymentKeyHome } from '../section-homes.ts';

const readKey = async (id: string, signal?: AbortSignal) =>
  versioned(await makeCall('GET /stripe-key/:id', { id, signal }));

export default function EditPaymentKey({ id }: { readonly id: string }) {
  const loaded = useLoaded(id, (signal) => readKey(id, signal));
  return (
    <VersionedScreen
      heading="Edit payment key"
      home={paymentKeyHome}
      missing="There is no such payment key"
      loaded={loaded}
    >
      {(start) => <KeyEditor start={start} />}
    </VersionedScreen>
  );
}

function KeyEditor({ start }: { readonly start: VersionedRecord }) {
  const showToast = useToast();
  const id = start.record._id;
  const versions = useVersionedDraft({
    labels: keyLabels,
    start,
    check: (values) => fieldErrorsOf(paymentKeyChange.safeParse(values)),
    read: () => readKey(id),
    update: async (values, ifMatch) =>
      versioned(await makeCall('PUT /stripe-key/:id', { id, body: paymentKeyChange.parse(values), ifMatch })),
    onSaved: () => showToast(keySaved),
  });
  return (
    <VersionedForm
      name="payment-key"
      heading={versions.base.record['stripeKey'] ?? ''}
      labels={keyLabels}
      versions={versions}
    >
      <KeyField draft={versions.draft} />
    </VersionedForm>
  );
}
