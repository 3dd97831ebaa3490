import type { MailContent } from '../mail-message.js';
import { markup, type Markup } from '../templates/layout/markup.js';

const WIDTHS = [600, 360];
const DARK_ONLY = '@media (prefers-color-scheme: dark)';

/** Appearances of a mail, independent of the colours of the machine that shows the preview. */
const APPEARANCES = [
  { name: 'light', of: (mail: string) => mail.replace(DARK_ONLY, '@media not all').replaceAll('light dark', 'light') },
  { name: 'dark', of: (mail: string) => mail.replace(DARK_ONLY, '@media all').replaceAll('light dark', 'dark') },
];

/** A page that shows every mail in all widths and colours, and its text. */
export function previewPage(mails: Readonly<Record<string, MailContent>>): string {
  return markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Mails</title>
<style>
  body { font: 14px/20px system-ui, sans-serif; margin: 24px; background: #c9ced6; color: #161b22; }
  h2 { margin: 40px 0 4px; }
  .looks { display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-start; margin-top: 12px; }
  iframe { border: 0; display: block; }
  pre { margin: 0; padding: 16px; background: #fff; max-width: 100%; overflow: auto; }
</style>
<script>
  // Each frame becomes as high as its mail, as soon as that is loaded.
  document.addEventListener('load', ({ target }) => {
    if (target instanceof HTMLIFrameElement) target.height = target.contentDocument.documentElement.scrollHeight;
  }, true);
</script>
<h1>Mails</h1>
${Object.entries(mails).map(([name, mail]) => sectionOf(name, mail))}
</html>
`.toString();
}

function sectionOf(name: string, { subject, text, html }: MailContent): Markup {
  const frames = APPEARANCES.flatMap((appearance) =>
    WIDTHS.map((width) => {
      const title = `${name}, ${appearance.name}, ${width} pixels`;
      return markup`<iframe title="${title}" width="${width}" height="1" srcdoc="${appearance.of(html)}"></iframe>
`;
    }),
  );
  return markup`<section id="${name}">
<h2>${name}</h2>
<div>Subject: <b>${subject}</b></div>
<div class="looks">
${frames}<pre>${text}</pre>
</div>
</section>
`;
}
