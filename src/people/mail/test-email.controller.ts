import { Controller, HttpCode, Post } from '@nestjs/common';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { TestEmailService } from './test-email.service.js';

@Group('TestEmail')
@Controller('api/v1/test-email')
export class TestEmailController {
  constructor(private readonly testEmail: TestEmailService) {}

  @Post()
  @HttpCode(200)
  @RequireAccess(Permission.ServerSettingsWrite, on.server)
  @Describe(
    'Send a test message',
    'Sends a message to the e-mail address of the calling user, to check the configuration of the mail server.',
  )
  @Answers(200, 'The mail server has accepted the message.', null, {
    400: 'The caller is a service account, or a user without an e-mail address.',
    409: 'The server sends no mail: mail is turned off (`AppOptions:DisableEmailSending`), or the server has no mail server, or no `AppOptions:PublicUrl` for the links.',
    503: 'The mail server cannot be reached or has refused the message.',
  })
  send(@Context() context: RequestContext): Promise<void> {
    return this.testEmail.send(context);
  }
}
