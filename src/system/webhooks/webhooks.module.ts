import { Module } from '@nestjs/common';

import { MailModule } from '../../people/mail/mail.module.js';
import { TenantsModule } from '../../tenants/tenants/tenants.module.js';
import { EventsModule } from '../events/events.module.js';
import { DeliveryRetention } from './delivery-retention.js';
import { WebhookDeliverer } from './webhook-deliverer.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookPauses } from './webhook-pauses.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender, WebhookSenderLimits } from './webhook-sender.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [EventsModule, MailModule, TenantsModule],
  controllers: [WebhooksController],
  providers: [
    DeliveryRetention,
    WebhookDeliverer,
    WebhookMetrics,
    WebhookPauses,
    WebhookSecrets,
    WebhookSender,
    WebhookSenderLimits,
    WebhooksRepository,
    WebhooksService,
  ],
  exports: [DeliveryRetention],
})
export class WebhooksModule {}
