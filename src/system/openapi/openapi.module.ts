import { Module, type DynamicModule } from '@nestjs/common';

import { ApiBrowserController } from './api-browser.controller.js';
import { ApiDescriptions } from './api-descriptions.js';
import { OpenApiController } from './openapi.controller.js';

/** The API descriptions and their browser. While they are switched off, none of their paths exist. */
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
