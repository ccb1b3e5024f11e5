/** The emails that a copy has sent, as its local mailbox lists them. */
import type { Mail } from '#dev/mailbox/worker.ts';
import { Visitor } from './visitor.ts';

/** All emails, newest first. */
export const readMailbox = async (url: string): Promise<readonly Mail[]> =>
  (await new Visitor(url).get('/dev/mailbox')).json as readonly Mail[];

/**
 * Waits for emails to an address.
 * @param count how many to wait for
 * @returns all of them, newest first
 */
export async function mailsTo(
  url: string,
  email: string,
  isWanted: (mail: Mail) => boolean = () => true,
  count = 1,
): Promise<readonly Mail[]> {
  for (;;) {
    const found = (await readMailbox(url)).filter((mail) => mail.to === email && isWanted(mail));
    if (found.length >= count) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
