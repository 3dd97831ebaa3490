import { Module, type DynamicModule } from '@nestjs/common';

import { ApiBrowserController } from './api-browser.controller.js';
import { ApiDescriptions } from './api-descriptions.js';
import { OpenApiController } from './openapi.controller.js';

/** The descriptions of the API and their browser; while they are off, no path of theirs exists. */
@Module({})
export class OpenApiModule {
  static forRoot({ isServed }: { readonly isServed: boolean }): DynamicModule {
    return {
      module: OpenApiModule,
      controllers: isServed ? [ApiBrowserController, OpenApiController] : [],
      providers: [ApiDescriptions],
    };
  }
}
