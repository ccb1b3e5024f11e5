/** Remedies, by code, for errors that Cloudflare's API may return for a new account. */

/** A link to a page of Cloudflare's dashboard, in the account that the person chooses. */
const dashboard = (page: string): string => `https://dash.cloudflare.com/?to=/:account/${page}`;

const needsPaid = `The Workers Free plan allows 10 ms of CPU a request, and hashing a password takes about 100. Change to Workers Paid (${dashboard('workers/plans')}), then deploy again.`;

const needsR2 = `R2 is off in this account. Turn it on once (${dashboard('r2/overview')}; it requires a card), then deploy again.`;

/** This error code has many meanings. Only this one has a remedy. */
const imagesRefusal = /binding \w+ of type images is invalid/;
const needsImages = `Images is off in this account. Turn it on (${dashboard('images')}; its free plan creates 5,000 sizes of pictures a month), then deploy again.`;

const remedies: Readonly<Record<string, string>> = {
  '100328': needsPaid,
  '10042': needsR2,
  // https://github.com/cloudflare/workers-sdk/issues/15610
  '10136': `Cloudflare does not see that R2 is on. If ${dashboard('r2/overview')} shows your buckets, cancel the R2 subscription (${dashboard('billing/subscriptions')}), turn R2 on again, then deploy again.`,
  '10000': `The token or CLOUDFLARE_ACCOUNT_ID is wrong, or a permission is missing: run npx wrangler login again and keep all permissions. An API token needs Workers Scripts, Workers R2 Storage and Workers Routes (edit), and Zone (read).`,
};

/**
 * The remedies for the codes in wrangler's output, such as `[code: 10136]`.
 * @returns '' if none is known
 */
export const remediesIn = (said: string): string =>
  [
    ...new Set([...said.matchAll(/\[code: (\d+)\]/g)].map(([, code = '']) => remedies[code])),
    ...(imagesRefusal.test(said) ? [needsImages] : []),
  ]
    .filter((remedy) => remedy !== undefined)
    .join('\n');
