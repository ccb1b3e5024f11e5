/** All admin screens in one island. The URL selects the screen, whose file loads on demand. */
import { lazy, Suspense, type FunctionComponent } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { findScreen, type SectionScreen } from '#contract/all-screens.ts';
import { linkTo } from '#contract/screens.ts';
import { Skeleton } from '#site/ui/loading.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { queryClient } from '#site/app/query.ts';
import { ScreenBoundary } from '#site/app/screen-boundary.tsx';
import { Toasts } from '#site/app/toasts.tsx';
import type { ScreenComponents } from '#site/app/shell-screens.ts';
import { AdminFrame } from './admin-frame.tsx';
import { useClearUndo } from './use-clear-undo.ts';
import { ScreenFrame, type SectionScreenProps } from './screen.tsx';
import '#site/app/identity-prompt.ts';

const FirstRunGate = lazy(() => import('../first-run/first-run-gate.tsx'));

/** The screens in the registry share one editor, in which the URL selects the form. */
const SiteEditor = lazy(() => import('../site-editor/site-editor.tsx'));

const Messages = lazy(() => import('../inbox/messages.tsx'));

/** Every admin screen. The screens in the registry come last. */
const components: ScreenComponents<'admin'> &
  Readonly<Record<SectionScreen['name'], FunctionComponent<SectionScreenProps>>> = {
  admin: lazy(() => import('../overview/overview.tsx')),
  settings: lazy(() => import('../content/settings.tsx')),
  orders: lazy(() => import('../orders/orders.tsx')),
  newOrder: lazy(() => import('../orders/new-order.tsx')),
  order: lazy(() => import('../orders/order.tsx')),
  messages: Messages,
  message: Messages,
  customers: lazy(() => import('../customers/customers.tsx')),
  customer: lazy(() => import('../customers/customer.tsx')),
  subscribers: lazy(() => import('../inbox/subscribers.tsx')),
  publications: lazy(() => import('../content/publications.tsx')),
  releases: lazy(() => import('../content/releases/releases.tsx')),
  release: lazy(() => import('../content/releases/release.tsx')),
  subscriptions: lazy(() => import('../money/subscriptions.tsx')),
  customerSubscription: lazy(() => import('../money/subscription.tsx')),
  coupons: lazy(() => import('../money/coupons.tsx')),
  ledger: lazy(() => import('../money/ledger.tsx')),
  auditLog: lazy(() => import('../users/audit-log.tsx')),
  needsAttention: lazy(() => import('../attention/attention.tsx')),
  members: lazy(() => import('../users/members.tsx')),
  member: lazy(() => import('../users/member.tsx')),
  addPaymentKey: lazy(() => import('../money/payment-key.tsx')),
  paymentKey: lazy(() => import('../money/edit-payment-key.tsx')),
  sections: SiteEditor,
  editRecord: SiteEditor,
};

// Links load new documents, so the path does not change while this script runs.
const found = findScreen(location.pathname);
const screen = found?.screen.kind === 'admin' ? found.screen : undefined;
const Shown: FunctionComponent<SectionScreenProps> | undefined = screen && components[screen.name];

function CurrentScreen() {
  if (!found || !screen || !Shown)
    return (
      <AdminFrame>
        <ScreenFrame title="We could not find this page" intro="The address may be misspelled.">
          <div>
            <LinkButton href={linkTo('admin')}>Back to Admin</LinkButton>
          </div>
        </ScreenFrame>
      </AdminFrame>
    );
  const content = (
    <AdminFrame isEditor={Shown === SiteEditor}>
      <Suspense fallback={<Skeleton lines={8} />}>
        <Shown id={found.id} sections={screen.sections ?? []} />
      </Suspense>
    </AdminFrame>
  );
  if (screen.who !== 'anyone') return content;
  return (
    <Suspense fallback={null}>
      <FirstRunGate path={location.pathname}>{content}</FirstRunGate>
    </Suspense>
  );
}

export default function Admin() {
  useClearUndo();
  return (
    <QueryClientProvider client={queryClient}>
      <ScreenBoundary>
        <CurrentScreen />
      </ScreenBoundary>
      <Toasts />
    </QueryClientProvider>
  );
}
