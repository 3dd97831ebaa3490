import type { MailContent } from '../mail-message.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';

/** To an administrator who checks whether mail works. */
export function testMessage(letterhead: Letterhead): MailContent {
  return written(letterhead, {
    subject: 'Test message',
    preview: 'Mail works.',
    title: 'Mail works',
    before: ['This message was asked for to find out whether mail works. It does.'],
    after: [],
  });
}
