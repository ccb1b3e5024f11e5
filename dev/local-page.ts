/** The frame of pages that only a local copy has: the mailbox, and the merchant's dashboard at Stripe. */
import { html } from 'hono/html';

type Html = ReturnType<typeof html>;

const style = html`<style>
  :root {
    color-scheme: light dark;
    --accent: light-dark(#00684a, #63d8a6);
    --edge: light-dark(#7b8a82, #6c7f75);
    --soft: light-dark(#4a5a53, #a6b7ae);
  }
  body {
    font:
      1.0625rem/1.5 system-ui,
      sans-serif;
    margin: 0 auto;
    max-width: 56rem;
    overflow-wrap: anywhere;
    padding: 1.5rem 1rem 4rem;
  }
  h2 {
    font-size: 1.1875rem;
  }
  a {
    color: var(--accent);
  }
  .soft {
    color: var(--soft);
  }
  .plain {
    list-style: none;
    padding: 0;
  }
  .alert {
    border-inline-start: 4px solid;
    color: light-dark(#b3261e, #ff9d94);
    padding-inline-start: 0.75rem;
  }
  article {
    border: 1px solid var(--edge);
    border-radius: 0.625rem;
    margin-top: 1rem;
    padding: 0 1rem 1rem;
  }
  pre {
    font: inherit;
    white-space: pre-wrap;
  }
  form {
    align-items: end;
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin-top: 0.75rem;
  }
  label {
    color: var(--soft);
    display: grid;
    font-size: 0.9375rem;
  }
  button,
  input,
  select {
    border: 1px solid var(--edge);
    border-radius: 0.375rem;
    box-sizing: border-box;
    font: inherit;
    max-width: 100%;
    min-height: 2.75rem;
    padding: 0.25rem 0.75rem;
  }
  button {
    background: transparent;
    border-color: var(--accent);
    color: var(--accent);
    cursor: pointer;
  }
</style>`;

export const localPage = (title: string, about: string, body: Html | Html[]) =>
  html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${title}</title>
      ${style}
      <main>
        <h1>${title}</h1>
        <p class="soft">${about}</p>
        ${body}
      </main>
    </html>`;

/** The headers of such a page. It runs no scripts, and no other site's page may frame it. */
export const localPageHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Content-Type': 'text/html; charset=utf-8',
};
