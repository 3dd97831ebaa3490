import { Module } from '@nestjs/common';

import { ActSearch } from './acts/act-search.js';
import { ActsController } from './acts/acts.controller.js';
import { ActsRepository } from './acts/acts.repository.js';
import { ChangeLogBackfillJob } from './acts/change-log-backfill.js';
import { ChangeLogRetention } from './change-log-retention.js';
import { ChangeLogSearch } from './change-log-search.js';
import { ChangeLogsController } from './change-logs.controller.js';
import { ChangeLogsRepository } from './change-logs.repository.js';
import { ReadableLogs } from './readable-logs.js';

@Module({
  controllers: [ActsController, ChangeLogsController],
  providers: [ActSearch, ActsRepository, ChangeLogBackfillJob, ChangeLogRetention, ChangeLogSearch, ChangeLogsRepository, ReadableLogs],
  exports: [ChangeLogBackfillJob, ChangeLogRetention],
})
export class ChangeLogsModule {}
