/**
 * The domain that emails come from: what its DNS needs, and how to set it up for sending. Cloudflare writes SPF, DKIM
 * and `DMARC p=reject` on that domain. We therefore do not touch a domain that receives the business's own email, and
 * use a subdomain such as mail.your-domain.com for the site.
 * https://developers.cloudflare.com/email-service/configuration/domains/
 */
import { isTrial, senderIn } from '#worker/settings.ts';
import { confirm } from './console.ts';
import { namesAbove, type LookUp } from './dns.ts';
import { fine, todo, unknown, type Finding } from './finding.ts';
import type { Questions, Settings } from './settings.ts';
import { askWrangler, mustAskWrangler } from './wrangler.ts';

/** The domain of MAIL_FROM; '' if it has no address. */
const mailDomainOf = ({ MAIL_FROM = '' }: Settings): string =>
  senderIn(MAIL_FROM)?.email.split('@')[1]?.toLowerCase() ?? '';

/** The DNS names that a service uses to prove that it sends for a domain. */
export interface Sending {
  readonly isEnabled: boolean;
  /** The domain that bounces go to. SPF is checked on this domain. */
  readonly returnPath: string;
  readonly dkimSelector: string;
}

/** What `wrangler email sending settings` reports about a domain; undefined if we cannot ask Cloudflare. */
export async function sendingFrom(domain: string): Promise<Sending | undefined> {
  const { code, stdout, stderr } = await askWrangler(['email', 'sending', 'settings', domain]);
  if (code !== 0 && /not authenticated|login|CLOUDFLARE_API_TOKEN/i.test(stdout + stderr)) return undefined;
  const valueOf = (label: string) => new RegExp(`${label}:[ \\t]+(\\S+)`).exec(stdout)?.[1];
  return {
    isEnabled: code === 0 && valueOf('Enabled') === 'true',
    returnPath: valueOf('Return-path domain') ?? `cf-bounce.${domain}`,
    dkimSelector: valueOf('DKIM selector') ?? 'cf-bounce',
  };
}

/** Resend's DNS names (https://resend.com/docs/dashboard/domains/introduction). */
const atResend = (domain: string): Sending => ({
  isEnabled: true,
  returnPath: `send.${domain}`,
  dkimSelector: 'resend',
});

/**
 * The DMARC policy of a domain: its own, or otherwise its parent domain's.
 * https://www.rfc-editor.org/rfc/rfc7489#section-6.6.3
 */
async function findDmarc(lookUp: LookUp, domain: string): Promise<string | undefined> {
  for (const name of namesAbove(domain)) {
    const records = await lookUp(`_dmarc.${name}`, 'TXT');
    const policy = records.find((record) => /^v=DMARC1\b/i.test(record));
    if (policy !== undefined) return policy;
  }
  return undefined;
}

const spfIncludes = { cloudflare: '_spf.mx.cloudflare.net', resend: 'amazonses.com' } as const;

/**
 * The missing DNS records among those that make receivers trust the emails: SPF, DKIM, DMARC. One sentence each.
 */
async function missingRecords(
  lookUp: LookUp,
  domain: string,
  { returnPath, dkimSelector }: Sending,
  include: string,
): Promise<string[]> {
  const dkimName = `${dkimSelector}._domainkey.${domain}`;
  const [spf, dkim, dmarc] = await Promise.all([
    lookUp(returnPath, 'TXT'),
    lookUp(dkimName, 'TXT'),
    findDmarc(lookUp, domain),
  ]);
  const senders = spf.filter((record) => /^v=spf1\b/i.test(record));
  return [
    ...(senders.length > 1 ? [`${returnPath} has two SPF records: keep only one`] : []),
    ...(senders.some((record) => record.includes(`include:${include}`))
      ? []
      : [`SPF: TXT ${returnPath} must be "v=spf1 include:${include} ~all"`]),
    ...(dkim.some((record) => /(^|;)\s*p=[^;\s]/.test(record))
      ? []
      : [`DKIM: TXT ${dkimName} must contain the key that the service shows`]),
    ...(dmarc === undefined ? [`DMARC: add TXT _dmarc.${domain} "v=DMARC1; p=none;"`] : []),
  ];
}

/**
 * Checks whether receivers will trust emails from the site's sender.
 * @param sending what Cloudflare reports about the domain, if Cloudflare delivers
 */
export async function examineMail(
  settings: Settings,
  lookUp: LookUp,
  sending: (domain: string) => Promise<Sending | undefined>,
): Promise<Finding> {
  if (isTrial(settings)) return unknown('a trial sends no email');
  const domain = mailDomainOf(settings);
  const transport = settings.MAIL_TRANSPORT === 'resend' ? 'resend' : 'cloudflare';
  const found = transport === 'resend' ? atResend(domain) : await sending(domain);
  if (found === undefined) return unknown('wrangler is not signed in to Cloudflare: npx wrangler login');
  if (!found.isEnabled)
    return todo(
      (await mailInDanger(lookUp, domain)) ??
        `${domain} is not set up for sending: run npx wrangler email sending enable ${domain}`,
    );
  const missing = await missingRecords(lookUp, domain, found, spfIncludes[transport]);
  if (missing.length > 0) return todo(`${domain} is missing DNS records: ${missing.join('; ')}.`);
  const receives = (await lookUp(domain, 'MX')).length > 0;
  return fine(
    receives
      ? `${domain} can send. It also receives your own email; use mail.${domain} to keep them separate`
      : `${domain} can send; SPF, DKIM and DMARC are in the DNS`,
  );
}

/** The risk of setting up a domain, in a sentence or two; undefined if nothing else sends or receives email there. */
async function mailInDanger(lookUp: LookUp, domain: string): Promise<string | undefined> {
  const [mx, dmarc] = await Promise.all([lookUp(domain, 'MX'), lookUp(`_dmarc.${domain}`, 'TXT')]);
  const signs = [
    ...(mx.length > 0 ? [`gets email (MX ${mx.join(', ')})`] : []),
    ...(dmarc.length > 0 ? [`has a DMARC record (${dmarc.join(', ')})`] : []),
  ];
  return signs.length === 0
    ? undefined
    : `${domain} ${signs.join(' and ')}. Setting it up adds SPF, DKIM and DMARC p=reject to it, and other mail servers may then reject email that you send through another service. Put an address at mail.${domain} into MAIL_FROM instead.`;
}

/** What is left if the domain is not set up for sending. */
export const mailLeft = (settings: Settings): string => {
  const domain = mailDomainOf(settings);
  return `Email: the site sends none until ${domain} is set up. Run npx wrangler email sending enable ${domain}`;
};

/**
 * Offers to set up the sender's domain at Cloudflare, unless the site is a trial.
 * @returns a sentence about what is left for the person to do; undefined if nothing is
 */
export async function offerSending(
  settings: Settings,
  questions: Questions,
  lookUp: LookUp,
): Promise<string | undefined> {
  const domain = mailDomainOf(settings);
  if (settings.MAIL_TRANSPORT === 'resend' || isTrial(settings)) return undefined;
  if ((await sendingFrom(domain))?.isEnabled) return undefined;
  const danger = await mailInDanger(lookUp, domain);
  if (danger !== undefined) questions.say(`\nWARNING: ${danger}`);
  const question =
    danger === undefined
      ? `Set up ${domain} to send email? Cloudflare adds SPF, DKIM and DMARC records to it.`
      : `Set up ${domain} anyway?`;
  if (!(await confirm(questions, question)))
    return danger === undefined
      ? mailLeft(settings)
      : `Email: the site sends none until its domain is set up. Put an address at mail.${domain} into MAIL_FROM, then deploy again.`;
  questions.say((await mustAskWrangler(['email', 'sending', 'enable', domain])).trim());
  return undefined;
}
