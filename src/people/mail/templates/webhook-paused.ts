import type { MailContent } from '../mail-message.js';
import type { Letterhead } from './layout/letter.js';
import { moment } from './layout/moment.js';
import { written } from './layout/written-letter.js';

export interface PausedWebhook {
  /** Host that events were sent to. Paths may hold secrets of the receiver. */
  readonly host: string;
  /** Reason of the last failure, as the page of the webhook shows it. */
  readonly reason: string;
  /** True if the receiver answered 410; otherwise deliveries have failed for a day. */
  readonly isGone: boolean;
  readonly at: Date;
  /** The page of the webhook. */
  readonly link: string;
}

/** To a user who may change the settings of the tenant. Its caller sends it once for each pause. */
export function webhookPaused(letterhead: Letterhead, { host, reason, isGone, at, link }: PausedWebhook): MailContent {
  const why = isGone ? 'the receiver answered that it is gone for good (410)' : 'deliveries failed for 24 hours';
  return written(letterhead, {
    subject: 'A webhook is paused',
    preview: 'Its receiver gets no more events.',
    title: 'A webhook is paused',
    before: [
      `Events are no longer sent to ${host}, because ${why}. They wait as long as the server keeps events. Resume the webhook when its receiver works.`,
    ],
    facts: [
      ['Last failure', reason],
      ['Time', moment(at)],
    ],
    action: { label: 'View webhook', link },
    after: ['You get this e-mail because you can change the settings of your tenant. You get one for each pause.'],
  });
}
