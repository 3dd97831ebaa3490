import { Global, Module } from '@nestjs/common';

import { AfterAnswer } from './concurrency/after-answer.js';
import { RightOfWay } from './concurrency/right-of-way.js';
import { Clock } from './runtime/clock.js';

@Global()
@Module({ providers: [AfterAnswer, Clock, RightOfWay], exports: [AfterAnswer, Clock, RightOfWay] })
export class CommonModule {}
