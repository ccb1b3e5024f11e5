/**
 * The business pages of a new site until the business writes its own: examples that describe what the product does.
 * They are marked as examples, so that no one takes them for legal advice.
 */
import { counted } from '#contract/counted.ts';
import { exampleMark } from '#contract/first-content.ts';
import type { Settings } from './settings.ts';

const exampleNote = `> **${exampleMark}** Replace it with your own text before you open the site, and have a lawyer who knows the law where you do business read it.`;

const updated = 'November 21, 2026';

/** A retention period in words: `2 years` or `90 days`. */
const inWords = (days: string): string =>
  Number(days) % 365 === 0 ? counted(Number(days) / 365, 'year') : counted(Number(days), 'day');

const privacyFor = ({
  LIMIT_MESSAGE_DAYS = '730',
  LIMIT_CONVERSATION_DAYS = '730',
  LIMIT_AUDIT_DAYS = '365',
}: Settings) => `${exampleNote}

What we keep about you, why we keep it, who else sees it, and how you can see it, take it with you or have it deleted.

## What we keep, and why

- **A message that you send us:** your name, email address, phone number and what you write, so that we can answer.
- **An account:** your email address, a password (stored so that nobody can read it), and the name, company, phone number and website that you add, so that you can order and see your orders.
- **An order:** your name, address and company, what you ordered and paid, and what you tell and send us about it, because we need it for the work and the law requires us to keep a record of payments.
- **A subscription to our newsletter:** your email address, until you unsubscribe.
- **How you found us:** with a message or an order, the first page of your visit and the site or campaign that led you there, so that we know what helps people find us.
- **Security:** when and from which network and device an account was used, for ${inWords(LIMIT_AUDIT_DAYS)}, so that nobody else can use it.

We delete messages from our contact form after ${inWords(LIMIT_MESSAGE_DAYS)}, and messages about an order after ${inWords(LIMIT_CONVERSATION_DAYS)}. The files of an order, what we delivered and our notes on its steps stay as long as the order does, because they are what you bought. Deleting your account removes them.

We do not sell your data, and we show no ads.

## Cookies

A visitor who has not signed in gets no cookie from us. Signing in sets a few: they keep you signed in, let pages show the right links, and let us recognize your device. None of them follows you to another site.

## Who else sees it

- **Stripe** takes your payment. Your card number goes to Stripe and never reaches us.
- **Cloudflare** delivers this site, **Turso** stores our records, and an email service sends our email. They work for us and may not use the data for anything else.
- **Google** learns that you use this site if you choose to log in with your Google account.

## What you can do

On your account page you can see what we hold and delete your account at any time. Records of paid orders stay, without your name, for as long as the law requires. For anything else, [write to us](/contact).
`;

const terms = `${exampleNote}

What you order from us, what it costs, what we need from you, and what each of us can count on.

## What you order

A package is one piece of work, with everything that its card lists. You pay for it once. Only a package that is sold by the month renews, until you cancel it in your account. The price is the one that the order form shows when you order.

## When we begin

We begin within two business days of your payment and finish within 30 days of it. If we wait for an answer or an approval from you, those days are added.

## What we need from you

- Access to your website and listings, for as long as the work lasts.
- Someone who can answer questions and approve a draft within a week.
- Accurate facts: please check what each page says about your loans before it is published.

## What we do not promise

Nobody can promise a place in search results, and we do not. We promise the work, done with care, and a report that you can check.

## What is yours

Pages, listings and reports are yours once they are paid for. We may not use your data for anyone else.

## If something goes wrong

Tell us and we will fix it. Neither of us owes the other more than the price of the package, except where the law says otherwise. See also our [refund policy](/refunds).
`;

const refunds = `${exampleNote}

When you get your money back, how you ask for it, and how long it takes.

## Before we begin

If you cancel before we begin, you get back everything that you paid.

## While we work

If you cancel while we work, you get back the part of the price for the work that is not done. We send you what is done.

## After the report

If part of your package was not done, or not as its card says, tell us within 30 days of the report. We will do it again, or refund it if you prefer.

## How to ask

[Send us a message](/contact) with the number of your order. We answer within one business day. The money goes back to the card that you paid with. Your bank may need five to ten days to show it.
`;

/** The records of the section `legalPage`, with the retention periods in the settings. */
export const legalTextsFor = (settings: Settings) =>
  [
    { title: 'Privacy', path: '/privacy', text: privacyFor(settings), updated },
    { title: 'Terms', path: '/terms', text: terms, updated },
    { title: 'Refunds', path: '/refunds', text: refunds, updated },
  ] as const;
