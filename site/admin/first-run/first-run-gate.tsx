/**
 * Protects the two screens that open without signing in. Administrators pass. Everybody else sees the link to
 * log in or, on a new site, the form for the first administrator.
 */
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { SignedIn } from '#contract/account-schemas.ts';
import { requirementTextFor, may } from '#contract/audience.ts';
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#site/ui/alert.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { callQuery, joinQueries } from '#site/app/query.ts';
import { useReadOnce } from '#site/app/use-read-once.ts';
import { stack } from '#site/ui/layout.ts';
import css from './first-run-gate.module.css';

const FirstRun = lazyPart(() => import('./first-run.tsx'));

interface Closing {
  readonly state: 'set-up' | 'sign-in' | 'closed';
  readonly why?: string;
  readonly way?: string;
  readonly label?: string;
}

/** Why somebody who is no administrator cannot open the screen, and what to do. */
function closedFor(account: SignedIn | null, isSetUpNeeded: boolean): Closing {
  if (isSetUpNeeded) return { state: 'set-up' };
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
  // Read only once, so that a session that ends later does not remove what was typed.
  const session = useReadOnce('GET /auth/session');
  const account = session.data?.data.account;
  const isOpen = may(account ?? undefined, 'administrator');
  const setUp = useQuery({ ...callQuery('GET /setup'), enabled: account !== undefined && !isOpen });
  if (isOpen) return children;
  return (
    <main id="main" tabIndex={-1} className={stack(5, css['gate'])}>
      <QueryBoundary query={joinQueries({ session, setUp })}>
        {(data) => <Closed path={path} {...closedFor(data.session.data.account, data.setUp.needed)} />}
      </QueryBoundary>
    </main>
  );
}

interface ClosedProps extends Closing {
  readonly path: string;
}

function Closed({ path, state, why, way = '', label }: ClosedProps) {
  if (state === 'set-up') return <FirstRun onDone={() => location.assign(linkTo('admin'))} />;
  return (
    <>
      <h1 className={css['title']}>Administrators only</h1>
      {state === 'sign-in' ? (
        <>
          <p>Log in with an administrator&apos;s account to go on.</p>
          <LinkButton href={`${linkTo('login')}?next=${encodeURIComponent(path)}`}>Log in</LinkButton>
        </>
      ) : (
        <>
          <Alert>{why}</Alert>
          <LinkButton href={way} variant="secondary">
            {label}
          </LinkButton>
        </>
      )}
    </>
  );
}
