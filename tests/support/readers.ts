/** Who reads what others have typed, where, and what a page does that only a payload could have it do. */
import type { Page } from 'playwright/test';

const order = 'POST /new-order';
export const message = 'POST /add-message';
const buyer = [
  `${order} customerName`,
  `${order} customerEmail`,
  `${order} customerAddress`,
  `${order} customerCountry`,
];
const billing = [`${order} customerCompany`, `${order} customerTaxNumber`];
const said = ['POST /order/:id/messages text', 'POST /order/:id/files', 'PUT /order-status/:id note'];
const worked = ['PUT /order-step/:id note', 'PUT /order-step/:id/answer request', 'A step'];
const sourceWords = ['page', 'referrer', 'utm_source', 'utm_medium', 'utm_campaign'];
const newMessage = ['name', 'email', 'number', 'subject', 'message'].map((field) => `${message} ${field}`);
const orderNames = [`${order} customerName`, 'POST /add-order customerName'];

/** Where people read what others have typed: screens, and what each of them must show of it. */
export const readers: readonly (readonly [pattern: string, texts: readonly string[], id?: string])[] = [
  ['/pay-now/:id', ['POST /add-order customerName']],
  ['/order-now/:id', buyer.slice(0, 3)],
  ['/my-order', orderNames],
  ['/pending-order', orderNames.slice(1)],
  ['/order/:id', [...buyer, ...billing, ...said, ...worked, 'POST /order/:id/refunds note']],
  [
    '/order/:id',
    ['PUT /order/:id/billing customerCompany', 'PUT /order/:id/billing customerTaxNumber'],
    'billed',
  ],
  ['/order-brief/:id', ['PUT /order/:id/brief answers.*', 'PUT /order/:id/brief link', 'A question']],
  ['/order/:id/receipt', [...buyer, ...billing, "The firm's name"]],
  ['/credit-note/:id', [...buyer, ...billing, 'POST /order/:id/refunds note']],
  [
    '/account',
    [
      ...['name', 'company', 'phone', 'website'].map((field) => `PUT /auth/profile ${field}`),
      'PUT /auth/passkeys/:id name',
      'PUT /auth/email email',
    ],
  ],
  ['/admin', orderNames],
  ['/total-orders', orderNames],
  [
    '/admin/payment-status/:id',
    [
      ...buyer,
      ...billing,
      ...said,
      ...worked,
      ...sourceWords.map((word) => `${order} source.${word}`),
      'PUT /order/:id/brief answers.*',
      'PUT /order/:id/brief link',
      'POST /order/:id/refunds note',
    ],
  ],
  [
    '/admin/payment-status/:id',
    ['Name', 'Email', 'Address', 'Country', 'Company', 'TaxNumber'].map(
      (field) => `POST /add-order customer${field}`,
    ),
    'unpaid',
  ],
  ['/all-messages/', newMessage.slice(0, 4)],
  ['/view/:id', [...newMessage, ...sourceWords.map((word) => `${message} source.${word}`)]],
  ['/customers', orderNames.slice(0, 1)],
  ['/customer/:id', [...buyer, `${message} subject`, 'POST /customer/:id/notes text']],
  ['/all-subscriber/', ['POST /add-subscriber subemail']],
  ['/edit-media', ['POST /media']],
  ['/releases', ['POST /releases title', 'PUT /release/:id title']],
  ['/release/:id', ['POST /releases title', 'POST /release/:id/changes values.*']],
  ['/add-user', ['POST /add-user userEmail', 'PUT /upadete-users/:id userEmail']],
  ['/admin-user/:id', ['POST /add-user userEmail']],
];

/** What no screen shows, and why. */
export const readByNobody: readonly string[] = [
  // The export has them.
  ...[order, message].flatMap((call) => [`${call} source.utm_term`, `${call} source.utm_content`]),
  // The specification's payload carries them; the server sets its own.
  ...['paymentStatus', 'orderStatus', 'orderDate'].map((field) => `${order} ${field}`),
  // What keeps robots off, and what is always UnRead.
  ...['website', 'messageStatus'].map((field) => `${message} ${field}`),
  'POST /add-subscriber website',
  // Once its author goes on with it.
  'PUT /drafts values.*',
];

/** Letters alone, since lines are folded and names of files are shortened by space. */
export const squeezed = (text: string): string => text.replaceAll(/\s+/g, '').toLowerCase();

/** All that a page tells, in texts, fields and descriptions of pictures, as `squeezed` has it. */
export function readTexts(): string {
  const words: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    if (!texts.currentNode.parentElement?.closest('script, style, template'))
      words.push(texts.currentNode.textContent ?? '');
  for (const { value } of document.querySelectorAll<HTMLInputElement>('input, textarea')) words.push(value);
  for (const { alt } of document.images) words.push(alt);
  return words.join('').replaceAll(/\s+/g, '').toLowerCase();
}

/** What a page and its frames hold of a payload as markup, and whether one ran. */
const findMarkup = () => {
  const runs = (address: string) => /^(javascript|data):/.test(new URL(address, location.href).protocol);
  const written = [...document.querySelectorAll('*')].flatMap((element) => [
    ...[...element.attributes].filter(
      ({ name, value }) =>
        value.includes('__xss') &&
        (name.startsWith('on') ||
          (/^(href|xlink:href|src|action|formaction|data)$/.test(name) && runs(value))),
    ),
    ...(element.matches('script:not([type$="json"]), style') && element.textContent.includes('__xss')
      ? [element]
      : []),
  ]);
  return [
    ...written.map(({ nodeName }) => `has it as ${nodeName}`),
    ...(window.__xss === undefined ? [] : ['ran it']),
  ];
};

/** Hosts that the site's own texts and the payloads name as pictures and videos. */
const namedHosts = /^(localhost|127\.0\.0\.1|links\.example|images\.example)$/;

/** Notes what a page does that only a payload could have it do; `look` finds what is not noticed by itself. */
export async function watch(page: Page, faults: string[]): Promise<{ readonly look: () => Promise<void> }> {
  const fault = (what: string) => faults.push(`${page.url()}: ${what}`);
  page.on('dialog', (dialog) => {
    fault(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => fault(error.message));
  page.on('console', (line) => {
    if (/Content.Security.Policy/i.test(line.text())) fault(line.text());
  });
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && !namedHosts.test(hostname)) fault(`asked ${hostname}`);
  });
  await page.route('https://**', (route) => route.abort());
  return {
    look: async () => {
      for (const frame of page.frames()) {
        const found = await frame.evaluate(findMarkup);
        for (const what of found) fault(what);
        // What a payload has made of a page need not answer.
        if (found.length > 0) return;
      }
    },
  };
}
