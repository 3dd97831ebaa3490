import { Module } from '@nestjs/common';

import { ChangeLogSearch } from './change-log-search.service.js';
import { ChangeLogsController } from './change-logs.controller.js';

@Module({ controllers: [ChangeLogsController], providers: [ChangeLogSearch] })
export class ChangeLogsModule {}
