import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Context, type RequestContext } from '../authentication/request-context.js';
import { on, RequireAccess } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { Answers } from '../openapi/operation.js';
import { TestEmailService } from './test-email.service.js';

@ApiTags('TestEmail')
@Controller('api/v1/test-email')
export class TestEmailController {
  constructor(private readonly testEmail: TestEmailService) {}

  @Post()
  @HttpCode(200)
  @RequireAccess(Permission.ServerSettingsWrite, on.server)
  @Answers(200, '', null, { 400: '', 409: '', 503: '' })
  send(@Context() context: RequestContext): Promise<void> {
    return this.testEmail.send(context);
  }
}
