/**
 * Protects the two screens that open without signing in. Administrators get through. Everyone else sees the link to log
 * in or, on a new site, the form for the first administrator.
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
import { callQuery, joinQueries, useReadOnce } from '#site/app/query.ts';
import { stack } from '#site/ui/layout.ts';
import css from './first-run-gate.module.css';

const FirstRun = lazyPart(() => import('./first-run.tsx'));

/** The URL's hash ends with the number of steps left, so that a reload continues the setup. */
const setUpHash = '#setup-';

const stepsLeft = () => Number(location.hash.split(setUpHash)[1]) || undefined;

interface FirstRunGateProps {
  readonly path: string;
  readonly children: ReactNode;
}

export default function FirstRunGate({ path, children }: FirstRunGateProps) {
  // Read only once, so that typed text is kept if the session ends later.
  const session = useReadOnce('GET /auth/session');
  const account = session.data?.data.account;
  const isOpen = may(account ?? undefined, 'administrator');
  const setUp = useQuery({ ...callQuery('GET /setup'), enabled: account !== undefined && !isOpen });
  const left = stepsLeft();
  if (isOpen && left === undefined) return children;
  const firstRun = (
    <FirstRun
      stepsLeft={left}
      onStep={(next) => history.replaceState(history.state, '', setUpHash + String(next))}
      onDone={() => location.assign(linkTo('admin'))}
    />
  );
  return (
    <main id="main" tabIndex={-1} className={stack(5, css['gate'])}>
      {isOpen ? (
        firstRun
      ) : (
        <QueryBoundary query={joinQueries({ session, setUp })}>
          {(data) =>
            data.setUp.needed ? firstRun : <Closed path={path} account={data.session.data.account} />
          }
        </QueryBoundary>
      )}
    </main>
  );
}

function Closed({ path, account }: { readonly path: string; readonly account: SignedIn | null }) {
  const lack = account && requirementTextFor(account, 'administrator');
  return (
    <>
      <h1>Administrators only</h1>
      {account ? (
        <>
          <Alert>{lack ?? "You don't have any permission"}</Alert>
          <LinkButton href={linkTo(lack ? 'account' : 'dashboard')} variant="secondary">
            {lack ? 'Go to your account' : 'Back to your dashboard'}
          </LinkButton>
        </>
      ) : (
        <>
          <p>Log in with an administrator&apos;s account to continue.</p>
          <LinkButton href={`${linkTo('login')}?next=${encodeURIComponent(path)}`}>Log in</LinkButton>
        </>
      )}
    </>
  );
}
