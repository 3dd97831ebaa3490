import { Injectable, Logger } from '@nestjs/common';

import { DomainError, ErrorCode } from '../../platform/common/errors/errors.js';
import { type DeliveryAttempt, MailDelivery, type MailOutcome } from './mail-delivery.js';
import { MailFailure } from './mail-failure.js';
import type { MailMessage } from './mail-message.js';
import { MailQueue } from './mail-queue.js';

/** Most messages that callers wait for at the same time; each holds a connection to the mail server. */
const MAXIMUM_UNDER_WAY = 10;

/** Sends mail, at once or later. */
@Injectable()
export class MailService {
  private readonly logger = new Logger('Mail');
  private underWay = 0;

  constructor(
    private readonly delivery: MailDelivery,
    private readonly queue: MailQueue,
  ) {}

  /** The last attempt of any node since the oldest of them started; null before the first. */
  lastDelivery(): Promise<DeliveryAttempt | null> {
    return this.delivery.last();
  }

  /**
   * Sends a message and waits for the outcome: 400 for one that no mail server would take, 503 with the reason when it could not be
   * handed over.
   */
  async send(message: MailMessage): Promise<MailOutcome> {
    if (this.underWay >= MAXIMUM_UNDER_WAY) {
      throw new DomainError(ErrorCode.Unavailable, 'The mail could not be sent: too many messages are being sent. Try again later.');
    }
    this.underWay += 1;
    try {
      return await this.delivery.deliver(message);
    } catch (error) {
      if (error instanceof MailFailure) this.logger.warn(error.explanation);
      throw error;
    } finally {
      this.underWay -= 1;
    }
  }

  /**
   * Sends a message after the caller has been answered, and again when that fails for a while. It never throws, and takes the same
   * time in success and failure, so that an answer does not tell whether the message had a recipient.
   */
  sendLater(message: MailMessage): void {
    this.queue.add(message);
  }
}
