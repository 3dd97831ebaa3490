import { Module } from '@nestjs/common';

import { LogRetentionModule } from '../../access/log-retention/log-retention.module.js';
import { EventFeed } from './event-feed.js';
import { EventNumbers } from './event-numbers.js';
import { EventRetention } from './event-retention.js';
import { EventRights } from './event-rights.js';
import { EventsController } from './events.controller.js';
import { EventsRepository } from './events.repository.js';
import { EventsService } from './events.service.js';

@Module({
  imports: [LogRetentionModule],
  controllers: [EventsController],
  providers: [EventFeed, EventNumbers, EventRetention, EventRights, EventsRepository, EventsService],
  exports: [EventFeed, EventRetention, EventsService],
})
export class EventsModule {}
