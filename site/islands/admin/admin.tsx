/**
 * The administrator's screens: one island, in which the address chooses the screen by the route table and each screen
 * is a file of its own that is loaded when it is shown.
 */
import { lazy, Suspense, type FunctionComponent } from 'react';
import { findScreen, type SectionScreen } from '#contract/all-screens.ts';
import { linkTo } from '#contract/screens.ts';
import { Skeleton } from '#components/loading.tsx';
import { EmptyState } from '#components/empty-state.tsx';
import { LinkButton } from '#components/button.tsx';
import { ToastProvider } from '#components/toast.tsx';
import { ScreenBoundary } from '../shared/screen-boundary.tsx';
import type { ScreenComponents } from '../shared/shell-screens.ts';
import { AdminFrame } from './admin-frame.tsx';
import { useClearUndo } from './use-clear-undo.ts';
import { PublishingProvider } from './publishing.tsx';
import type { SectionScreenProps } from './screen.tsx';

const FirstRunGate = lazy(() => import('./first-run-gate.tsx'));

/** The screens of the registry are one editor, in which the address chooses the form. */
const SiteEditor = lazy(() => import('./site-editor/site-editor.tsx'));

/** Every screen of the administrator's shell, those of the registry last. */
const components: ScreenComponents<'admin'> &
  Readonly<Record<SectionScreen['name'], FunctionComponent<SectionScreenProps>>> = {
  admin: lazy(() => import('./screens/overview.tsx')),
  settings: lazy(() => import('./screens/settings.tsx')),
  orders: lazy(() => import('./screens/orders.tsx')),
  newOrder: lazy(() => import('./screens/new-order.tsx')),
  order: lazy(() => import('./screens/order.tsx')),
  messages: lazy(() => import('./screens/messages.tsx')),
  message: lazy(() => import('./screens/message.tsx')),
  customers: lazy(() => import('./screens/customers.tsx')),
  customer: lazy(() => import('./screens/customer.tsx')),
  subscribers: lazy(() => import('./screens/subscribers.tsx')),
  publications: lazy(() => import('./screens/publications.tsx')),
  releases: lazy(() => import('./screens/releases.tsx')),
  release: lazy(() => import('./screens/release.tsx')),
  ledger: lazy(() => import('./screens/ledger.tsx')),
  auditLog: lazy(() => import('./screens/audit-log.tsx')),
  needsAttention: lazy(() => import('./screens/attention.tsx')),
  members: lazy(() => import('./screens/members.tsx')),
  member: lazy(() => import('./screens/member.tsx')),
  addPaymentKey: lazy(() => import('./screens/payment-key.tsx')),
  paymentKey: lazy(() => import('./screens/edit-payment-key.tsx')),
  sections: SiteEditor,
  editRecord: SiteEditor,
};

// The address is the document's for as long as this script lives: screens are left by plain links.
const found = findScreen(location.pathname);
const screen = found?.screen.kind === 'admin' ? found.screen : undefined;
const Shown: FunctionComponent<SectionScreenProps> | undefined = screen && components[screen.name];

function CurrentScreen() {
  if (!found || !screen || !Shown)
    return (
      <EmptyState
        title="There is no such page"
        action={<LinkButton href={linkTo('admin')}>Back to Admin</LinkButton>}
      >
        The address may be misspelled.
      </EmptyState>
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
    <Suspense fallback={<Skeleton lines={8} />}>
      <FirstRunGate path={location.pathname}>{content}</FirstRunGate>
    </Suspense>
  );
}

export default function Admin() {
  useClearUndo();
  return (
    <ToastProvider>
      <PublishingProvider>
        <ScreenBoundary>
          <CurrentScreen />
        </ScreenBoundary>
      </PublishingProvider>
    </ToastProvider>
  );
}
