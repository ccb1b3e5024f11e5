/** The payment key: the form that adds it, or a link to its edit screen. */
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { api } from '#site/app/call.ts';
import { showToast } from '#site/app/toasts.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useCall } from '#site/app/query.ts';
import { EditForm } from '../content/editor/edit-form.tsx';
import { keyErrors, KeyField, keyLabels, keySaved } from './key-field.tsx';
import { useAddForm } from '../content/editor/use-add-form.ts';
import { ScreenFrame } from '../shell/screen.tsx';
import { paymentKeyHome } from '../content/section-homes.ts';

export default function PaymentKeyHome() {
  const keys = useCall('GET /stripe-keys');
  const { title, about } = paymentKeyHome;
  return (
    <ScreenFrame title={title} back={{ href: linkTo('settings'), label: 'Site content' }} intro={about}>
      <QueryBoundary query={keys}>
        {([key]) =>
          key ? (
            <Card
              title={title}
              aside={<LinkButton href={linkTo('paymentKey', key._id)}>Edit payment key</LinkButton>}
            >
              <p>{key.stripeKey}</p>
            </Card>
          ) : (
            <AddPaymentKey />
          )
        }
      </QueryBoundary>
    </ScreenFrame>
  );
}

const blank = { stripeKey: '' };

function AddPaymentKey() {
  const { form } = useAddForm({
    blank,
    check: keyErrors,
    add: ({ stripeKey = '' }) => api('POST /add-stripe-key', { body: { stripeKey } }),
    onAdded: () => showToast(keySaved),
  });
  return (
    <EditForm {...form} name="payment-key" heading="Add payment key" labels={keyLabels} isMain>
      <KeyField draft={form.draft} />
    </EditForm>
  );
}
