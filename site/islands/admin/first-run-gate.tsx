/**
 * The two screens that open without signing in. An administrator passes; anyone else sees only the way to sign in, and
 * the person who sets up a new site the form for its first administrator.
 */
import { may } from '#contract/audience.ts';
import { linkTo } from '#contract/screens.ts';
import { lazy, Suspense, type ReactNode } from 'react';
import { Alert } from '#components/alert.tsx';
import { LinkButton } from '#components/button.tsx';
import { makeCall } from '../shared/call.ts';
import { WhenLoaded } from '../shared/failure.tsx';
import { readSession } from '../shared/session.ts';
import { useLoaded } from '../shared/use-loaded.ts';
import css from './first-run-gate.module.css';

const FirstRun = lazy(() => import('./first-run.tsx'));

async function readDoor(signal: AbortSignal) {
  const account = await readSession(signal);
  if (account && may(account, 'administrator')) return 'open';
  const { data } = await makeCall('GET /setup', { signal });
  if (data.needed) return 'set-up';
  return account ? 'closed' : 'sign-in';
}

export default function FirstRunGate({
  path,
  children,
}: {
  readonly path: string;
  readonly children: ReactNode;
}) {
  const door = useLoaded('door', readDoor);
  if (door.data === 'open') return children;
  return (
    <main id="main" tabIndex={-1} className={css['gate']}>
      <Suspense>
        <WhenLoaded loaded={door}>
          {(state) =>
            state === 'set-up' ? (
              <FirstRun onDone={() => location.assign(linkTo('admin'))} />
            ) : state === 'sign-in' ? (
              <>
                <h1 className={css['title']}>Administrators only</h1>
                <p>Log in with an administrator&apos;s account to go on.</p>
                <LinkButton href={`${linkTo('login')}?next=${encodeURIComponent(path)}`}>Log in</LinkButton>
              </>
            ) : (
              <>
                <h1 className={css['title']}>Administrators only</h1>
                <Alert>You don&apos;t have any permission</Alert>
                <LinkButton href={linkTo('dashboard')} variant="secondary">
                  Back to your dashboard
                </LinkButton>
              </>
            )
          }
        </WhenLoaded>
      </Suspense>
    </main>
  );
}
