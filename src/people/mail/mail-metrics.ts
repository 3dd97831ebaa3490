import { Injectable } from '@nestjs/common';
import { metrics, type Counter, type ObservableResult, type ObservableUpDownCounter } from '@opentelemetry/api';

/** Reason for which a mail was never sent. */
export type MailLoss = 'unavailable' | 'refused' | 'queue_full' | 'stopped' | 'recipient_limit';

/** The queue of mails in figures, for a process that has been given an exporter for metrics. */
@Injectable()
export class MailMetrics {
  private readonly length: ObservableUpDownCounter;
  private readonly sent: Counter;
  private readonly failed: Counter;

  constructor() {
    const meter = metrics.getMeter('mail');
    this.length = meter.createObservableUpDownCounter('mail.queue.length', {
      unit: '{mail}',
      description: 'Mails in the queue, those included that are being sent or wait for another attempt.',
    });
    this.sent = meter.createCounter('mail.sent', { unit: '{mail}', description: 'Mails of the queue that were handed over.' });
    this.failed = meter.createCounter('mail.failed', { unit: '{mail}', description: 'Mails that never left, by reason.' });
  }

  /** Reports the length of a queue until the returned function is called. */
  observe(length: () => number): () => void {
    const report = (result: ObservableResult): void => result.observe(length());
    this.length.addCallback(report);
    return () => this.length.removeCallback(report);
  }

  delivered(): void {
    this.sent.add(1);
  }

  lost(reason: MailLoss, mails = 1): void {
    this.failed.add(mails, { reason });
  }
}
