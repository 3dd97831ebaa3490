import { Module } from '@nestjs/common';

import { LogRetentions } from './log-retentions.js';

@Module({ providers: [LogRetentions], exports: [LogRetentions] })
export class LogRetentionModule {}
