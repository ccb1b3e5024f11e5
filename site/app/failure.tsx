/** Shows the error of a call in place, if there is one: what went wrong, and what to do about it. */
import { confirmExtension } from '#contract/problem.ts';
import { linkTo } from '#contract/screens.ts';
import { useState, type ReactNode } from 'react';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { MissingPart } from './call-error.ts';
import type { CallError } from './call.ts';
import { readSession } from './session.ts';
import { useRefetchOnFocus } from './use-refetch-on-focus.ts';
import { ReloadButton } from '../ui/reload-button.tsx';

interface FailureProps {
  readonly error: CallError | null | undefined;
  readonly onRetry?: () => void;
  readonly isRetrying?: boolean;
  readonly children?: ReactNode;
}

export function Failure({ error, onRetry, isRetrying = false, children }: FailureProps) {
  if (!error) return null;
  const tryAgain = onRetry && (
    <Button variant="secondary" size="small" busy={isRetrying} onClick={onRetry}>
      Try again
    </Button>
  );
  if (error.status === 401)
    return (
      <SignedOut action={tryAgain} onBack={onRetry}>
        {children}
      </SignedOut>
    );
  return (
    <Alert
      // Users who close the question about their identity know why nothing happened.
      tone={error.problem[confirmExtension] === true ? 'info' : 'danger'}
      title={error.problem.title}
      action={
        error instanceof MissingPart ? (
          <>
            {tryAgain} <ReloadButton />
          </>
        ) : (
          tryAgain
        )
      }
    >
      {error.message}
      {children}
    </Alert>
  );
}

interface SignedOutProps {
  readonly action?: ReactNode;
  readonly onBack?: (() => void) | undefined;
  readonly children?: ReactNode;
}

/**
 * Users whose session has ended log in again in a new tab, so that typed text stays here. It disappears when they come
 * back and are signed in.
 * @param action the button that tries again; absent if it is the form's own button
 * @param onBack called when they are back
 */
export function SignedOut({ action, onBack, children }: SignedOutProps) {
  const [isBack, setIsBack] = useState(false);
  async function checkSession() {
    if (!(await readSession())) return;
    setIsBack(true);
    onBack?.();
  }
  useRefetchOnFocus(() => void checkSession().catch(() => undefined));
  if (isBack) return null;
  return (
    <Alert
      title="You have been signed out"
      action={
        <>
          <LinkButton href={linkTo('login')} target="_blank" variant="secondary" size="small">
            Log in (new tab)
          </LinkButton>
          {action}
        </>
      }
    >
      Log in again in a new tab, then come back and try again. What you typed stays here.
      {children}
    </Alert>
  );
}
