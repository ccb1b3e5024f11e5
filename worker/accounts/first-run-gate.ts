import { createMiddleware } from 'hono/factory';
import { requirementTextFor, may } from '#contract/audience.ts';
import type { AppEnv } from '../http/app.ts';
import { notAllowed, signInFirst } from '../http/errors.ts';
import { isSetupNeeded } from './setup.ts';

/**
 * Middleware for the calls of the first run. Administrators may make them. As long as there is no administrator, so may
 * anyone with the setup token (`checkSetupToken`). Returns 401 or 403 before reading the body.
 */
export const firstRunGate = createMiddleware<AppEnv>(async (c, next) => {
  const { account, db } = c.var;
  if (!may(account, 'administrator') && !(await isSetupNeeded(db)))
    throw account ? notAllowed(requirementTextFor(account, 'administrator')) : signInFirst();
  await next();
});
