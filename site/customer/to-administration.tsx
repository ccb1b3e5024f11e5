/** For who works on the site: the way to the administration, and how much waits there. */
import { may } from '#contract/audience.ts';
import { counted } from '#contract/counted.ts';
import type { InboxCounts } from '#contract/customers.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { api } from '#site/app/call.ts';
import { readSession } from '#site/app/session.ts';
import { useLoaded } from '#site/app/use-loaded.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import css from './to-administration.module.css';

/** What the page's own script read from the cookie: it opens nothing. */
export const worksHere = (): boolean => document.documentElement.dataset['signedIn'] === 'admin';

/** Undefined for who is not of the staff. */
async function readInboxCounts(signal: AbortSignal): Promise<InboxCounts | undefined> {
  const account = await readSession(signal);
  return may(account ?? undefined, 'staff') ? (await api('GET /waiting', { signal })).data : undefined;
}

/** Each count that is not zero. */
const countsOf = ({ attention, messages, toDeliver, unpaid }: InboxCounts): readonly string[] =>
  (
    [
      [attention, 'thing that needs a person', 'things that need a person'],
      [messages, 'unread message', 'unread messages'],
      [toDeliver, 'paid order to deliver', 'paid orders to deliver'],
      [unpaid, 'unpaid order', 'unpaid orders'],
    ] as const
  ).flatMap(([count, one, many]) => (count > 0 ? [counted(count, one, many)] : []));

/** While the counts are not known, or not theirs to see, the way alone. */
export function ToAdministration() {
  const { data, reload } = useLoaded('waiting', readInboxCounts);
  useRefetchOnFocus(reload);
  const counts = data && countsOf(data);
  return (
    <section className={css['place']} aria-labelledby="administration">
      <div>
        <h2 id="administration" className={css['heading']}>
          Administration
        </h2>
        {counts && <p>{counts.length > 0 ? `${counts.join(', ')}.` : 'Nothing waits for you right now.'}</p>}
      </div>
      <LinkButton href={linkTo('admin')}>Open the administration</LinkButton>
    </section>
  );
}
