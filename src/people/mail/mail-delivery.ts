import { join } from 'node:path';

import { Injectable, Logger } from '@nestjs/common';
import type { SendMailOptions, createTransport } from 'nodemailer';

import { invalid } from '../../platform/common/errors/errors.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { LastOutcomes, OutcomeKind } from '../../platform/node/last-outcomes.js';
import { MailFailure } from './mail-failure.js';
import { MailFolder } from './mail-folder.js';
import { messageProblem, type MailMessage } from './mail-message.js';
import { smtpOptionsOf } from './smtp-options.js';

/** The outcome of delivering a message. */
export enum MailOutcome {
  /** The mail server has accepted it. */
  Sent = 'Sent',
  /** In development without a mail server: it was written to the mail folder. */
  Kept = 'Kept',
  /** The operator has switched mail off, or configured no mail server; nothing was sent. */
  NotSent = 'NotSent',
}

/** An attempt to hand a message to the mail server. */
export interface DeliveryAttempt {
  readonly at: Date;
  /** Sentence that says why it failed; null if the mail server has accepted the message. */
  readonly failure: string | null;
}

/** An attempt as JSON. */
type StoredAttempt = Omit<DeliveryAttempt, 'at'> & { readonly at: string };

/** Time limit for sending one message. */
const DEADLINE_MS = 60_000;
const FOLDER = 'mail';
const UNCONFIGURED_SENDER = { name: '', address: 'service@localhost' };

/** Headers that keep programs from answering these mails: RFC 3834, and the same for Exchange. */
const HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' };

/** Hands a message to the operator's mail server, or, in development without one, to the mail folder. */
@Injectable()
export class MailDelivery {
  private readonly logger = new Logger('Mail');
  private readonly folder: MailFolder;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly outcomes: LastOutcomes,
  ) {
    this.folder = new MailFolder(join(settings.dataPath, FOLDER));
  }

  /** The last attempt of any node since the oldest of them started; null before the first. */
  async last(): Promise<DeliveryAttempt | null> {
    const stored = (await this.outcomes.find(OutcomeKind.MailDelivery)) as StoredAttempt | null;
    return stored === null ? null : { at: new Date(stored.at), failure: stored.failure };
  }

  /**
   * Delivers a message.
   * @param signal ends the attempt
   * @throws DomainError 400 for a message that no mail server would take
   * @throws MailFailure when the mail server did not take it
   */
  async deliver({ to, ...content }: MailMessage, signal?: AbortSignal): Promise<MailOutcome> {
    const { appOptions, environment } = this.settings;
    const server = smtpOptionsOf(appOptions);
    if (appOptions.disableEmailSending || (server === null && environment !== 'development')) return MailOutcome.NotSent;
    const problem = messageProblem({ to, ...content });
    if (problem !== null) throw invalid(`The mail cannot be sent: ${problem}.`);
    const { smtpEmail, smtpDisplayName, smtpHost, smtpPort } = appOptions;
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const mail: SendMailOptions = {
      // The identifier of the message gets the domain of this address.
      from: server === null ? UNCONFIGURED_SENDER : { name: smtpDisplayName, address: smtpEmail },
      // As an object, so that the address is never parsed as a list.
      to: { name: '', address: to },
      ...content,
      headers: HEADERS,
      date: this.clock.now(),
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
    };
    if (server === null) {
      const file = await this.keep(mail);
      this.logger.log(`No mail server is configured: the message "${content.subject}" to ${to} was written to ${file}`);
      return MailOutcome.Kept;
    }
    try {
      await (await transport())(server).sendMail(mail);
    } catch (error) {
      const failure = new MailFailure(`${smtpHost}:${smtpPort}`, error);
      // A stop of the service says nothing about the mail server.
      if (signal?.aborted !== true) await this.store(failure.message);
      throw failure;
    }
    await this.store(null);
    return MailOutcome.Sent;
  }

  private async store(failure: string | null): Promise<void> {
    const attempt: DeliveryAttempt = { at: this.clock.now(), failure };
    await this.outcomes.store(OutcomeKind.MailDelivery, attempt);
  }

  private async keep(mail: SendMailOptions): Promise<string> {
    const { message } = await (await transport())({ streamTransport: true, buffer: true, newline: 'windows' }).sendMail(mail);
    if (!Buffer.isBuffer(message)) throw new Error('The message was composed as a stream.');
    return this.folder.write(message, this.clock.now());
  }
}

/** The maker of transports, loaded with the first mail: a start does not wait for it. */
async function transport(): Promise<typeof createTransport> {
  return (await import('nodemailer')).createTransport;
}
