/** The shared frame of every mail: one description gives the text and the HTML, so that the two never differ. */

/**
 * Stands in a mail's paragraphs and facts for a number that only the batch which queues the mail knows (`Mail.number`):
 * a character of the private use area, so that nobody types it by chance.
 */
export const lateNumber = '\uE000';

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailDraft {
  readonly subject: string;
  /** Sentences above the facts and the button. */
  readonly paragraphs: readonly string[];
  /** What it is about, a label and a value each. */
  readonly facts?: readonly (readonly [label: string, value: string])[];
  /** The one thing to do next. */
  readonly action?: { readonly label: string; readonly href: string };
  /** Sentences below the button, such as what to do when the mail is a surprise. */
  readonly closing?: readonly string[];
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

const paragraph = (text: string) =>
  `<p style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;

const factRow = ([label, value]: readonly [string, string]) =>
  `<tr><td style="padding:4px 16px 4px 0;color:#4a5a53;vertical-align:top">${escapeHtml(label)}</td>` +
  `<td style="padding:4px 0">${escapeHtml(value).replaceAll('\n', '<br>')}</td></tr>`;

const button = ({ label, href }: { label: string; href: string }) =>
  `<p style="margin:24px 0"><a href="${escapeHtml(href)}" style="display:inline-block;padding:12px 20px;` +
  `border-radius:6px;background:#00684a;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></p>` +
  `<p style="margin:0 0 16px;color:#4a5a53">Or open ${escapeHtml(href)}</p>`;

/** Four strokes and one across: the tally of the site's header, in text, because many mail programs show no drawings. */
const head =
  '<p aria-hidden="true" style="margin:0 0 20px;color:#00684a;font-size:22px;font-weight:700;letter-spacing:3px;' +
  'text-decoration:line-through">||||</p>';

/** A subject is one line, even where somebody typed several. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 200);

/** Writes a mail as text and as HTML. */
export function writeMail({ subject, paragraphs, facts = [], action, closing = [] }: MailDraft): MailContent {
  const text = [
    ...paragraphs,
    ...(facts.length > 0 ? [facts.map(([label, value]) => `${label}: ${value}`).join('\n')] : []),
    ...(action ? [`${action.label}: ${action.href}`] : []),
    ...closing,
  ].join('\n\n');
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta name="viewport" content="width=device-width"><title>${escapeHtml(oneLine(subject))}</title></head>`,
    '<body style="margin:0;padding:24px;background:#f0f4f1;color:#10211b;font:16px/1.5 Arial,sans-serif">',
    '<div style="max-width:560px;margin:0 auto;padding:24px 32px 32px;border-top:4px double #00684a;background:#ffffff">',
    head,
    ...paragraphs.map(paragraph),
    ...(facts.length > 0 ? [`<table style="margin:0 0 16px">${facts.map(factRow).join('')}</table>`] : []),
    ...(action ? [button(action)] : []),
    ...closing.map(paragraph),
    '</div></body></html>',
  ].join('');
  return { subject: oneLine(subject), text: `${text}\n`, html };
}
