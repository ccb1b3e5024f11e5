/**
 * Queries the public DNS over HTTPS, because a deployer's own resolver may have cached an old response.
 * https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/
 */
import * as z from 'zod';

const answerLimitMs = 10_000;

const types = { A: 1, AAAA: 28, CNAME: 5, MX: 15, TXT: 16 } as const;

const answerSchema = z.object({
  Status: z.number(),
  Answer: z.array(z.object({ type: z.number(), data: z.string() })).default([]),
});

/** A name and its parents, except the top-level domain: `a.b.example`, `b.example`. */
export const namesAbove = (name: string): string[] => {
  const labels = name.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
};

/** A TXT record consists of quoted parts of at most 255 characters. */
const unquoted = (data: string) => data.replaceAll(/^"|"$/g, '').replaceAll(/"\s*"/g, '');

/**
 * Returns the records of one type for a name; empty if it has none.
 * @throws if the DNS does not answer
 */
export type LookUp = (name: string, type: keyof typeof types) => Promise<string[]>;

export const lookUp: LookUp = async (name, type) => {
  const query = new URLSearchParams({ name, type });
  const answer = await fetch(`https://cloudflare-dns.com/dns-query?${query.toString()}`, {
    headers: { Accept: 'application/dns-json' },
    signal: AbortSignal.timeout(answerLimitMs),
  });
  const { Status, Answer } = answerSchema.parse(await answer.json());
  // 3 means no such name (https://www.rfc-editor.org/rfc/rfc1035#section-4.1.1).
  if (Status !== 0 && Status !== 3) throw new Error(`the DNS returned ${Status} for ${name}`);
  return Answer.filter((record) => record.type === types[type]).map(({ data }) => unquoted(data));
};
