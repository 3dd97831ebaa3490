import { Global, Module } from '@nestjs/common';

import { AfterAnswer } from './concurrency/after-answer.js';
import { Clock } from './runtime/clock.js';

@Global()
@Module({ providers: [AfterAnswer, Clock], exports: [AfterAnswer, Clock] })
export class CommonModule {}
