import { join } from 'node:path';

import { Injectable, Logger } from '@nestjs/common';
import { createTransport, type SendMailOptions } from 'nodemailer';

import { Clock } from '../common/clock.js';
import { DomainError, ErrorCode, invalid, messageOf } from '../common/errors.js';
import { Settings } from '../config/settings.js';
import { mailFailure } from './mail-failure.js';
import { MailFolder } from './mail-folder.js';
import { messageProblem, type MailMessage } from './mail-message.js';
import { smtpOptionsOf } from './smtp-options.js';

/** The outcome of sending a message. */
export enum MailOutcome {
  /** The mail server has accepted it. */
  Sent = 'Sent',
  /** No mail server is configured; it was written to the mail folder. */
  Kept = 'Kept',
  /** The operator has switched mail off; nothing was sent. */
  SwitchedOff = 'SwitchedOff',
}

/** Time limit for sending one message. */
const DEADLINE_MS = 60_000;
/** Most messages that are sent at the same time; each holds a connection to the mail server. */
const MAXIMUM_UNDER_WAY = 10;
const FOLDER = 'mail';
const UNCONFIGURED_SENDER = { name: '', address: 'service@localhost' };

/** Sends mail through the operator's mail server, or keeps it in a folder while none is configured. */
@Injectable()
export class MailService {
  private readonly logger = new Logger('Mail');
  private readonly folder: MailFolder;
  private underWay = 0;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    this.folder = new MailFolder(join(settings.dataPath, FOLDER));
  }

  /** Sends a message; 400 for one that no mail server would take, 503 with the reason when it could not be handed over. */
  async send(message: MailMessage): Promise<MailOutcome> {
    if (this.settings.appOptions.disableEmailSending) return MailOutcome.SwitchedOff;
    const problem = messageProblem(message);
    if (problem !== null) throw invalid(`The mail cannot be sent: ${problem}.`);
    if (this.underWay >= MAXIMUM_UNDER_WAY) {
      throw new DomainError(ErrorCode.Unavailable, 'The mail could not be sent: too many messages are being sent. Try again later.');
    }
    this.underWay += 1;
    try {
      return await this.deliver(message);
    } finally {
      this.underWay -= 1;
    }
  }

  private async deliver({ to, subject, text }: MailMessage): Promise<MailOutcome> {
    const { smtpEmail, smtpDisplayName, smtpHost, smtpPort } = this.settings.appOptions;
    const server = smtpOptionsOf(this.settings.appOptions);
    const mail: SendMailOptions = {
      from: server === null ? UNCONFIGURED_SENDER : { name: smtpDisplayName, address: smtpEmail },
      // As an object, so that the address is never parsed as a list.
      to: { name: '', address: to },
      subject,
      text,
      date: this.clock.now(),
      signal: AbortSignal.timeout(DEADLINE_MS),
    };
    if (server === null) {
      const file = await this.keep(mail);
      this.logger.log(`No mail server is configured: the message "${subject}" to ${to} was written to ${file}`);
      return MailOutcome.Kept;
    }
    try {
      await createTransport(server).sendMail(mail);
    } catch (error) {
      this.logger.warn(`The mail server ${smtpHost}:${smtpPort} did not accept a message: ${messageOf(error)}`);
      throw mailFailure(error);
    }
    return MailOutcome.Sent;
  }

  private async keep(mail: SendMailOptions): Promise<string> {
    const { message } = await createTransport({ streamTransport: true, buffer: true, newline: 'windows' }).sendMail(mail);
    if (!Buffer.isBuffer(message)) throw new Error('The message was composed as a stream.');
    return this.folder.write(message, this.clock.now());
  }
}
