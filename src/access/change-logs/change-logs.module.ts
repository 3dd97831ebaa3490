import { Module } from '@nestjs/common';

import { ChangeLogRetention } from './change-log-retention.js';
import { ChangeLogSearch } from './change-log-search.js';
import { ChangeLogsController } from './change-logs.controller.js';
import { ChangeLogsRepository } from './change-logs.repository.js';

@Module({
  controllers: [ChangeLogsController],
  providers: [ChangeLogRetention, ChangeLogSearch, ChangeLogsRepository],
  exports: [ChangeLogRetention],
})
export class ChangeLogsModule {}
