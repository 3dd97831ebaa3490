import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { exampleMails, USUAL_NAMES } from './example-mails.js';
import { previewPage } from './preview-page.js';

/** Folder of the written mails unless the command names another. */
const FOLDER = 'data/mail-preview';

const folder = process.argv[2] ?? FOLDER;
const mails = exampleMails(USUAL_NAMES);
const files = [
  ...Object.entries(mails).flatMap(([name, mail]) => [
    { name: `${name}.html`, content: mail.html },
    { name: `${name}.txt`, content: `Subject: ${mail.subject}\n\n${mail.text}` },
  ]),
  { name: 'index.html', content: previewPage(mails) },
];
await mkdir(folder, { recursive: true });
for (const { name, content } of files) {
  const path = join(folder, name);
  await writeFile(path, content);
  console.log(path);
}
