import { Module } from '@nestjs/common';

import { LogRetentionModule } from '../log-retention/log-retention.module.js';
import { ActSearch } from './acts/act-search.js';
import { ActsController } from './acts/acts.controller.js';
import { ActsRepository } from './acts/acts.repository.js';
import { ChangeLogBackfillJob } from './acts/change-log-backfill.js';
import { ChainHeads } from './chain/chain-heads.js';
import { ChainHeadsController } from './chain/chain-heads.controller.js';
import { ChainsRepository } from './chain/chains.repository.js';
import { ChangeLogRetention } from './change-log-retention.js';
import { ChangeLogSearch } from './change-log-search.js';
import { ChangeLogsController } from './change-logs.controller.js';
import { ChangeLogsRepository } from './change-logs.repository.js';
import { ReadableLogs } from './readable-logs.js';

@Module({
  imports: [LogRetentionModule],
  controllers: [ActsController, ChainHeadsController, ChangeLogsController],
  providers: [
    ActSearch,
    ActsRepository,
    ChainHeads,
    ChainsRepository,
    ChangeLogBackfillJob,
    ChangeLogRetention,
    ChangeLogSearch,
    ChangeLogsRepository,
    ReadableLogs,
  ],
  exports: [ChangeLogBackfillJob, ChangeLogRetention],
})
export class ChangeLogsModule {}
