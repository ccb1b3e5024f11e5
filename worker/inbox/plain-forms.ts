/**
 * Inbox forms for browsers without scripts. If such a form is rejected, a page shows it again with the errors and the
 * typed values. Scripts get the problem details instead.
 */
import type { Context } from 'hono';
import { linkTo } from '#contract/screens.ts';
import { honeypotField } from '#contract/inbox.ts';
import type { AppEnv } from '../http/app.ts';
import type { ApiError } from '../http/errors.ts';
import type { FrameAnswer } from '../publishing/frames.ts';
import { turnstileHost } from '../publishing/policy.ts';
import { turnstileSiteKey } from '../env.ts';

/** The page frame that shows a rejected form again. */
type ReturnedForm = '/shell/message' | '/shell/subscribe';

interface FormFrame {
  readonly path: ReturnedForm;
  readonly answerFrame: FrameAnswer;
}

const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The Turnstile widget, which adds its token to the surrounding form, and a message for browsers without scripts. */
const widgetFor = (siteKey: string) => `
  <div class="cf-turnstile" data-sitekey="${encodeURIComponent(siteKey)}" data-appearance="interaction-only"></div>
  <p>The check that you are human needs JavaScript. If it does not work for you, call us or send an email. You can find the number and the address on the <a href="${linkTo('contact')}">contact page</a>.</p>`;
const widgetScript = `<script src="${turnstileHost}/turnstile/v0/api.js" async defer></script>`;

/** Renders a rejected form as a page with its values. */
export const returnForm =
  ({ path, answerFrame }: FormFrame) =>
  async (
    c: Context<AppEnv>,
    values: Readonly<Record<string, unknown>>,
    { status, message, extensions, headers }: ApiError,
  ): Promise<Response> => {
    const { errors = {} } = extensions;
    const sentences = new Set(Object.keys(errors).length > 0 ? Object.values(errors) : [message]);
    const rewriter = new HTMLRewriter()
      .on('[data-notice]', {
        element: (place) => void place.setInnerContent(Array.from(sentences, asSentence).join(' ')),
      })
      .on('main input[name], main textarea[name]', {
        element(field) {
          const name = field.getAttribute('name') ?? '';
          const value = values[name];
          if (errors[name] !== undefined) field.setAttribute('aria-invalid', 'true');
          if (typeof value !== 'string' || name === honeypotField) return;
          if (field.tagName === 'textarea') field.setInnerContent(value);
          else field.setAttribute('value', value);
        },
      });
    const siteKey = path === '/shell/message' ? turnstileSiteKey(c.env) : undefined;
    if (siteKey !== undefined)
      rewriter
        .on('main button[type="submit"]', {
          element: (button) => void button.before(widgetFor(siteKey), { html: true }),
        })
        .on('head', { element: (head) => void head.append(widgetScript, { html: true }) });
    const frame = await answerFrame(c, path, status);
    for (const [name, value] of Object.entries(headers)) frame.headers.set(name, value);
    return rewriter.transform(frame);
  };
