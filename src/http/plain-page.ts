import { createHash } from 'node:crypto';

import type { Response } from 'express';

/** What a page has to say. Both are fixed text, put into the page as they are. */
export interface PlainPage {
  readonly title: string;
  readonly text: string;
}

const STYLE = `
      body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 1.5rem; }
      main { max-width: 32rem; }
      h1 { font-size: 1.5rem; margin: 0 0 0.5rem; }
      p { margin: 0; }
    `;
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Answers with a page that has a title and a sentence, and neither scripts nor links. It needs no front end. */
export function sendPlainPage(response: Response, status: number, page: PlainPage): void {
  response.setHeader('Content-Security-Policy', POLICY);
  response.status(status).type('html').send(htmlOf(page));
}

function htmlOf({ title, text }: PlainPage): string {
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
    </main>
  </body>
</html>
`;
}
