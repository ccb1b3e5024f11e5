/**
 * The two screens that open without signing in. An administrator passes; anyone else sees only the way to sign in, and
 * the person who sets up a new site the form for its first administrator.
 */
import { requirementTextFor, may } from '#contract/audience.ts';
import { linkTo } from '#contract/screens.ts';
import type { ReactNode } from 'react';
import { Alert } from '#site/ui/alert.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { api } from '#site/app/call.ts';
import { WhenLoaded } from '#site/app/failure.tsx';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { readSession } from '#site/app/session.ts';
import { useLoaded } from '#site/app/use-loaded.ts';
import css from './first-run-gate.module.css';

const FirstRun = lazyPart(() => import('./first-run.tsx'));

/** Whether the screen opens, and if not why. */
async function readAccess(signal: AbortSignal) {
  const account = await readSession(signal);
  if (account && may(account, 'administrator')) return { state: 'open' };
  const { data } = await api('GET /setup', { signal });
  if (data.needed) return { state: 'set-up' };
  if (!account) return { state: 'sign-in' };
  const lack = requirementTextFor(account, 'administrator');
  return lack === undefined
    ? {
        state: 'closed',
        why: "You don't have any permission",
        way: linkTo('dashboard'),
        label: 'Back to your dashboard',
      }
    : { state: 'closed', why: lack, way: linkTo('account'), label: 'To your account' };
}

export default function FirstRunGate({
  path,
  children,
}: {
  readonly path: string;
  readonly children: ReactNode;
}) {
  const access = useLoaded('access', readAccess);
  if (access.data?.state === 'open') return children;
  return (
    <main id="main" tabIndex={-1} className={css['gate']}>
      <WhenLoaded loaded={access}>
        {({ state, why, way = '', label }) =>
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
              <Alert>{why}</Alert>
              <LinkButton href={way} variant="secondary">
                {label}
              </LinkButton>
            </>
          )
        }
      </WhenLoaded>
    </main>
  );
}
