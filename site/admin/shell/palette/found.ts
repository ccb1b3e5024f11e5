/** Search results as rows: records, texts of the site, and actions for an order. */
import { displayPrice } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { linkToRecord } from '#contract/all-screens.ts';
import { linkTo } from '#contract/screens.ts';
import { isShown, sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import type { SearchResult } from '#contract/customers.calls.ts';
import type { ContentRecord } from '#contract/section-calls.ts';
import { recordTitle } from '#site/admin/content/editor/section-texts.ts';
import { orderForms } from '#site/admin/orders/order-links.ts';
import { matching, wordsIn, type Option } from './matching.ts';

const maxTexts = 6;
const around = 30;

/** Returns the search text. In 'mark #1042 delivered', it is the number of the order. @param typed trimmed */
export function termOf(typed: string): string {
  const [number] = /#?\b\d{4,7}\b/.exec(typed) ?? [];
  return number !== undefined && /^(?:mark|deliver|delivered|refund|open|order)\b/i.test(typed)
    ? number
    : typed;
}

/** The actions for an order. Each opens a form that asks for confirmation. */
function actsOn(
  { _id, number, paymentStatus, orderStatus }: SearchResult['orders'][number],
  mayRefund: boolean,
): readonly Option[] {
  if (paymentStatus !== 'Paid') return [];
  const name = displayOrderNumber(number);
  const order = linkTo('order', _id);
  const about = 'Form';
  const deliver = { href: order + orderForms.deliver, label: `Mark ${name} delivered`, about };
  const refund = { href: order + orderForms.refund, label: `Refund ${name}`, about, words: 'money back' };
  return [...(orderStatus === 'Pending' ? [deliver] : []), ...(mayRefund ? [refund] : [])];
}

/** @param typed the typed text; if it contains the number of an order, the order's actions are shown too */
export function foundOptions(
  { orders, customers, messages }: SearchResult,
  typed: string,
  mayRefund: boolean,
): readonly Option[] {
  const [named] = orders;
  const acts =
    named && wordsIn(typed).includes(String(named.number)) ? matching(actsOn(named, mayRefund), typed) : [];
  const isAct = termOf(typed) !== typed;
  const rows = orders.map(({ _id, number, displayName, customerName, priceCents }) => ({
    href: linkTo('order', _id),
    label: `${displayOrderNumber(number)} ${customerName}`,
    about: `${displayName} order, ${displayPrice(priceCents)}`,
  }));
  return [
    ...(isAct ? [...acts, ...rows] : [...rows.slice(0, 1), ...acts, ...rows.slice(1)]),
    ...customers.map(({ _id, name, email, company }) => ({
      href: linkTo('customer', _id),
      label: name || email,
      about: [company, name ? email : 'Customer'].filter(Boolean).join(', '),
    })),
    ...messages.map(({ _id, name, email, subject }) => ({
      href: linkTo('message', _id),
      label: subject,
      about: `Message from ${name || email}`,
    })),
  ];
}

function excerptOf(text: string, place: number): string {
  const from = Math.max(0, place - around);
  const part = text
    .slice(from, place + 2 * around)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${from > 0 ? '…' : ''}${part}${place + 2 * around < text.length ? '…' : ''}`;
}

/** Returns the site's records that match the text, in the site's order. */
export function textOptions(
  content: Readonly<Partial<Record<SectionName, readonly ContentRecord[]>>>,
  typed: string,
): readonly Option[] {
  const wanted = typed.trim().toLowerCase();
  const found: Option[] = [];
  for (const name of sectionNames.filter(isShown))
    for (const record of content[name] ?? []) {
      const text = Object.entries(record)
        .filter(([field]) => field !== '_id')
        .map(([, value]) => value)
        .find((value) => value.toLowerCase().includes(wanted));
      if (text === undefined) continue;
      const title = recordTitle(name, record);
      const excerpt = excerptOf(text, text.toLowerCase().indexOf(wanted));
      found.push({
        href: linkToRecord(name, record._id),
        label: title,
        about: `${sectionNamed(name).title}${title === text ? '' : `: ${excerpt}`}`,
      });
      if (found.length === maxTexts) return found;
    }
  return found;
}
