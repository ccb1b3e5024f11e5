/** The payment key: its form while there is none, otherwise the way to its edit screen. */
import { newPaymentKey } from '#contract/payments.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#components/button.tsx';
import { makeCall } from '#site/islands/shared/call.ts';
import { WhenLoaded } from '#site/islands/shared/failure.tsx';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { fieldErrorsOf } from '#contract/problem.ts';
import { EditForm } from '../editor/edit-form.tsx';
import { KeyField, keyLabels, keySaved } from '../editor/key-field.tsx';
import { useAddForm } from '../editor/use-add-form.ts';
import { Panel, ScreenFrame } from '../screen.tsx';
import { paymentKeyHome } from '../section-homes.ts';

const readKeys = async (signal?: AbortSignal) => (await makeCall('GET /stripe-keys', { signal })).data;

export default function PaymentKeyHome() {
  const loaded = useLoaded('keys', readKeys);
  const { title, about } = paymentKeyHome;
  return (
    <ScreenFrame title={title} back={{ href: linkTo('settings'), label: 'Site content' }} intro={about}>
      <WhenLoaded loaded={loaded}>
        {([key]) =>
          key ? (
            <Panel
              title={title}
              aside={<LinkButton href={linkTo('paymentKey', key._id)}>Edit payment key</LinkButton>}
            >
              <p>{key.stripeKey}</p>
            </Panel>
          ) : (
            <AddPaymentKey onAdded={loaded.reload} />
          )
        }
      </WhenLoaded>
    </ScreenFrame>
  );
}

const blank = { stripeKey: '' };

function AddPaymentKey({ onAdded }: { readonly onAdded: () => void }) {
  const { form } = useAddForm({
    blank,
    check: (values) => fieldErrorsOf(newPaymentKey.safeParse(values)),
    add: (values) => makeCall('POST /add-stripe-key', { body: newPaymentKey.parse(values) }),
    done: keySaved,
    onAdded,
  });
  return (
    <EditForm {...form} name="payment-key" heading="Add payment key" labels={keyLabels} isMain>
      <KeyField draft={form.draft} />
    </EditForm>
  );
}
