import { createHash } from 'node:crypto';

import type { Response } from 'express';

/** Texts of a page. All of them are fixed, and put into the page as they are. */
export interface PlainPage {
  readonly title: string;
  readonly text: string;
}

const STYLE = `
      body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 1.5rem; }
      main { max-width: 32rem; }
      h1 { font-size: 1.5rem; margin: 0 0 0.5rem; }
      p { margin: 0 0 1rem; }
      form { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; }
      button { font: inherit; font-weight: 600; padding: 0.5rem 1rem; border: 0; border-radius: 0.5rem; cursor: pointer; }
      button { background: #0b5cc4; color: #fff; }
      a { color: light-dark(#0b5cc4, #7db2ff); }
    `;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Answers with a page that has a title and a sentence, and neither scripts nor links. It needs no front end. */
export function sendPlainPage(response: Response, status: number, page: PlainPage): void {
  send(response, status, { ...page, formAction: 'none', form: '' });
}

/** A question to which the reader says yes or leaves. */
export interface PlainQuestion extends PlainPage {
  /** Label of the button. */
  readonly yes: string;
  /** Label of the link to the start page. */
  readonly no: string;
}

/** Answers with a page that asks before something is changed. The button sends a POST to the address of the page. */
export function sendPlainQuestion(response: Response, { yes, no, ...page }: PlainQuestion): void {
  // With the usual policy, browsers name no origin in the POST, which would then be refused. The address stays within the service.
  response.setHeader('Referrer-Policy', 'same-origin');
  const form = `<form method="post"><button>${yes}</button><a href="/">${no}</a></form>`;
  send(response, 200, { ...page, formAction: 'self', form });
}

interface Sent extends PlainPage {
  readonly formAction: 'none' | 'self';
  readonly form: string;
}

function send(response: Response, status: number, page: Sent): void {
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action '${page.formAction}'; frame-ancestors 'none'`,
  );
  response.status(status).type('html').send(htmlOf(page));
}

function htmlOf({ title, text, form }: Sent): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>${text}</p>
      ${form}
    </main>
  </body>
</html>
`;
}
