/** What the page has to say. */
export type DeviceAccessNotice = 'signed in' | 'signed out' | 'no device' | 'refused';

const NOTICES: Readonly<Record<DeviceAccessNotice, { readonly title: string; readonly text: string }>> = {
  'signed in': { title: 'You are signed in', text: 'This browser may work on the device until the session ends.' },
  'signed out': {
    title: 'You are not signed in',
    text: 'Open the link that you were given. It works once; ask for a new one if you have used it.',
  },
  'no device': { title: 'This link is incomplete', text: 'It names no device. Copy the whole link from where you got it.' },
  refused: {
    title: 'This link does not work',
    text: 'It was used already, has expired, or belongs to another device. Ask for a new one where you got it.',
  },
};

/** A page without scripts that says what became of a link to a device. */
export function deviceAccessPage(notice: DeviceAccessNotice): string {
  const { title, text } = NOTICES[notice];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <style>
      body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 1.5rem; }
      main { max-width: 32rem; }
      h1 { font-size: 1.5rem; margin: 0 0 0.5rem; }
      p { margin: 0; }
    </style>
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
