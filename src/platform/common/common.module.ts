import { Global, Module } from '@nestjs/common';

import { AfterAnswer } from './after-answer.js';
import { Clock } from './clock.js';

@Global()
@Module({ providers: [AfterAnswer, Clock], exports: [AfterAnswer, Clock] })
export class CommonModule {}
