/** The results of checks, for `npm run doctor` and before a deployment. */
import { messageOf } from './errors.ts';

export interface Finding {
  readonly state: 'fine' | 'todo' | 'unknown';
  /** One line: the state, what to do, or why the check was impossible. */
  readonly said: string;
}

export const fine = (said: string): Finding => ({ state: 'fine', said });
export const todo = (said: string): Finding => ({ state: 'todo', said });
export const unknown = (said: string): Finding => ({ state: 'unknown', said });

export type Checks<N extends string, S> = Readonly<Record<N, (subject: S) => Finding | Promise<Finding>>>;

/**
 * Runs every check.
 * @param failed the finding for a check that itself fails
 */
export async function makeChecks<N extends string, S>(
  checks: Checks<N, S>,
  subject: S,
  failed: (said: string) => Finding,
): Promise<Readonly<Record<N, Finding>>> {
  const entries = Object.entries<Checks<N, S>[N]>(checks);
  const findings = await Promise.all(
    entries.map(async ([name, check]): Promise<[string, Finding]> => {
      try {
        return [name, await check(subject)];
      } catch (error) {
        return [name, failed(`could not be checked: ${messageOf(error)}`)];
      }
    }),
  );
  return Object.fromEntries(findings) as Record<N, Finding>;
}

const marks = { fine: 'fine ', todo: 'TO DO', unknown: '  ?  ' } as const satisfies Record<
  Finding['state'],
  string
>;

export const describeFindings = (findings: Readonly<Record<string, Finding>>): string =>
  Object.entries(findings)
    .map(([name, { state, said }]) => `${marks[state]}  ${name}: ${said}`)
    .join('\n');
