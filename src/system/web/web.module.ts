import { Logger, Module } from '@nestjs/common';

import { Settings } from '../../platform/config/settings.js';
import { FrontEnd } from './front-end.js';

/** The browser front end. `serveFrontEnd` serves it, in front of all routes. */
@Module({
  providers: [
    {
      provide: FrontEnd,
      inject: [Settings],
      useFactory: ({ webPath }: Settings): FrontEnd => {
        const frontEnd = FrontEnd.read(webPath);
        if (frontEnd.page === null) new Logger('Web').log(`There is no front end in ${webPath}. "npm run web:build" builds it.`);
        return frontEnd;
      },
    },
  ],
  exports: [FrontEnd],
})
export class WebModule {}
