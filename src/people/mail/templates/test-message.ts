import type { MailContent } from '../mail-message.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';

/** To an administrator who checks whether mail works. */
export function testMessage(letterhead: Letterhead): MailContent {
  return written(letterhead, {
    subject: 'Test mail',
    preview: 'This server can send e-mail.',
    title: 'E-mail works',
    before: ['An administrator sent this test mail. The server can send e-mail.'],
    after: [],
  });
}
