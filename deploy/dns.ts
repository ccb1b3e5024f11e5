/**
 * Asks the public DNS, over HTTPS: a deployer's own resolver may remember how it was an hour ago.
 * https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/
 */
import * as z from 'zod';

const answerLimitMs = 10_000;

const types = { A: 1, AAAA: 28, CNAME: 5, MX: 15, TXT: 16 } as const;

const answerSchema = z.object({
  Status: z.number(),
  Answer: z.array(z.object({ type: z.number(), data: z.string() })).default([]),
});

/** A name and the names above it, without the last: `a.b.example`, `b.example`. */
export const namesAbove = (name: string): string[] => {
  const labels = name.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
};

/** A text record is quoted, in parts of 255 characters at most. */
const unquoted = (data: string) => data.replaceAll(/^"|"$/g, '').replaceAll(/"\s*"/g, '');

/** The records of one type that a name has; empty where it has none. @throws when the DNS cannot say */
export type LookUp = (name: string, type: keyof typeof types) => Promise<string[]>;

export const lookUp: LookUp = async (name, type) => {
  const query = new URLSearchParams({ name, type });
  const answer = await fetch(`https://cloudflare-dns.com/dns-query?${query.toString()}`, {
    headers: { Accept: 'application/dns-json' },
    signal: AbortSignal.timeout(answerLimitMs),
  });
  const { Status, Answer } = answerSchema.parse(await answer.json());
  // 3: no such name. https://www.rfc-editor.org/rfc/rfc1035#section-4.1.1
  if (Status !== 0 && Status !== 3) throw new Error(`the DNS answers ${Status} for ${name}`);
  return Answer.filter((record) => record.type === types[type]).map(({ data }) => unquoted(data));
};
