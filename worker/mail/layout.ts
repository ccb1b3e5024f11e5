/**
 * The layout of every email. Text and HTML come from one description, so they never differ. An email is rendered when
 * it is sent, with the firm's brand at that time.
 */
import { paletteOf } from '#contract/colors.ts';

/**
 * A placeholder for a number that is read in the batch that queues the email (`Mail.number`). It is a private-use
 * character, so no one types it by accident.
 */
export const numberPlaceholder = '\uE000';

/** A label and a value. With `href` the value is a link, and the text version shows the address instead. */
type MailFact = readonly [label: string, value: string, href?: string];

/** The content of an email. Empty texts, and facts with an empty value, are left out. */
export interface MailContent {
  readonly subject: string;
  /** Sentences above the facts and the button. */
  readonly paragraphs: readonly string[];
  /** Details below the paragraphs, such as package and price. */
  readonly facts?: readonly MailFact[];
  readonly action?: { readonly label: string; readonly href: string };
  /**
   * Sentences below the button, such as what to do about an unexpected email. They contain only our own text. A page
   * address in parentheses becomes a link.
   */
  readonly closing?: readonly string[];
  /** Text that another person wrote, at the very bottom. It is plain text without links. */
  readonly quote?: string;
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

const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

const paragraph = (text: string) => (text === '' ? '' : `<p style="margin:0 0 16px">${lines(text)}</p>`);

const factLink = (value: string, href: string, accent: string) =>
  `<a class="accent" href="${escapeHtml(href)}" style="color:${accent}">${escapeHtml(value)}</a>`;

/** A sentence with a link for each address in parentheses. */
const linkedParagraph = (text: string, accent: string) =>
  paragraph(text).replace(
    /\((https?:\/\/[^\s()]+)\)/g,
    `(<a class="accent" href="$1" style="color:${accent};word-break:break-all">$1</a>)`,
  );

const factRow = ([label, value, href]: MailFact, accent: string) =>
  `<tr><td class="soft" style="padding:4px 16px 4px 0;color:#555555;width:1%;vertical-align:top;white-space:nowrap">${escapeHtml(label)}</td>` +
  `<td style="padding:4px 0;overflow-wrap:anywhere;word-break:break-word">${href === undefined ? lines(value) : factLink(value, href, accent)}</td></tr>`;

const button = ({ label, href }: { label: string; href: string }, accent: string) =>
  `<p style="margin:24px 0"><a class="button" href="${escapeHtml(href)}" style="display:inline-block;padding:12px 20px;` +
  `border-radius:6px;background:${accent};color:#ffffff;font-weight:700;text-decoration:none">${escapeHtml(label)}</a></p>` +
  `<p class="soft" style="margin:0 0 16px;color:#555555;font-size:14px;word-break:break-all">Or open this link: ${escapeHtml(href)}</p>`;

/** A logo in a raster format, with its display size in px. */
export interface MailLogo {
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

export interface MailBrand {
  readonly name: string;
  /** For example, `#1a4fd6`. */
  readonly accent: string;
  /** Absent if the firm has no logo that mail clients show. */
  readonly logo?: MailLogo | undefined;
}

/**
 * The logo at the top, or the firm's name. The logo's alternative text names the firm while pictures are blocked. The
 * background stays white in the dark scheme, because the logo is designed for light backgrounds.
 */
const head = ({ name, logo }: MailBrand) =>
  logo
    ? `<p style="margin:0 0 24px"><img src="${escapeHtml(logo.src)}" width="${logo.width}" height="${logo.height}" alt="${escapeHtml(name)}" ` +
      'style="display:block;max-width:100%;border:0;border-radius:4px;background:#ffffff;color:#1c1c1c;font-size:20px;font-weight:700"></p>'
    : `<p style="margin:0 0 24px;font-size:20px;font-weight:700"><span class="name" style="color:#1c1c1c">${escapeHtml(name)}</span></p>`;

/**
 * The dark scheme, for mail clients that support it. Other clients show the inline colors. All colors except the
 * accent are gray.
 */
function darkStyle(color: string): string {
  const { 'deep-accent': accent, 'on-deep-accent': onAccent } = paletteOf(color, 'dark');
  return (
    '<style>@media (prefers-color-scheme:dark){' +
    'body{background:#121212!important;color:#ececec!important}' +
    `.sheet{background:#1e1e1e!important;border-top-color:${accent}!important}` +
    `.name{color:#ececec!important}.soft{color:#b3b3b3!important}.accent{color:${accent}!important}` +
    `.button{background:${accent}!important;color:${onAccent}!important}}</style>`
  );
}

/** A subject is one line, even if someone typed several. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 200);

export function renderMail(
  { subject, paragraphs, facts = [], action, closing = [], quote = '' }: MailContent,
  brand: MailBrand,
): { readonly text: string; readonly html: string } {
  const { accent } = paletteOf(brand.accent, 'light');
  const given = facts.filter(([, value]) => value !== '');
  const text = [
    ...paragraphs,
    given.map(([label, value, href]) => `${label}: ${href ?? value}`).join('\n'),
    action ? `${action.label}: ${action.href}` : '',
    ...closing,
    quote,
    `-- \n${brand.name}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(oneLine(subject))}</title>${darkStyle(brand.accent)}</head>`,
    '<body style="margin:0;padding:16px;background:#f3f3f3;color:#1c1c1c;font:16px/1.5 Arial,sans-serif">',
    `<div class="sheet" style="max-width:560px;margin:0 auto;padding:24px 24px 16px;border-top:4px double ${accent};`,
    'background:#ffffff;overflow-wrap:anywhere;word-break:break-word">',
    head(brand),
    ...paragraphs.map(paragraph),
    given.length > 0
      ? `<table style="width:100%;margin:0 0 16px;border-spacing:0">${given.map((fact) => factRow(fact, accent)).join('')}</table>`
      : '',
    action ? button(action, accent) : '',
    ...closing.map((sentence) => linkedParagraph(sentence, accent)),
    paragraph(quote),
    '</div></body></html>',
  ].join('');
  return { text: `${text}\n`, html };
}
