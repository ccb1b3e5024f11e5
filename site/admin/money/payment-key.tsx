/** The payment key: its form while there is none, otherwise the way to its edit screen. */
import { newPaymentKey } from '#contract/payments.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { api } from '#site/app/call.ts';
import { WhenLoaded } from '#site/app/failure.tsx';
import { useLoaded } from '#site/app/use-loaded.ts';
import { fieldErrorsOf } from '#contract/problem.ts';
import { EditForm } from '../content/editor/edit-form.tsx';
import { KeyField, keyLabels, keySaved } from '../content/editor/key-field.tsx';
import { useAddForm } from '../content/editor/use-add-form.ts';
import { Panel, ScreenFrame } from '../shell/screen.tsx';
import { paymentKeyHome } from '../content/section-homes.ts';

const readKeys = async (signal?: AbortSignal) => (await api('GET /stripe-keys', { signal })).data;

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
    add: (values) => api('POST /add-stripe-key', { body: newPaymentKey.parse(values) }),
    done: keySaved,
    onAdded,
  });
  return (
    <EditForm {...form} name="payment-key" heading="Add payment key" labels={keyLabels} isMain>
      <KeyField draft={form.draft} />
    </EditForm>
  );
}
