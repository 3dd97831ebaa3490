import { Controller, Get, HttpCode, Post } from '@nestjs/common';

import { Context, type RequestContext } from '../../../access/authentication/principals/request-context.js';
import { on, RequireAccess } from '../../../access/authorization/guard/access.js';
import { Permission } from '../../../access/authorization/permissions/permission.js';
import { TextParam } from '../../../platform/http/binding/route-parameters.js';
import { AtNamedNode } from '../../../platform/node/at-named-node.js';
import { Answers, Describe, Group } from '../../openapi/operation.js';
import { ServerBackupsResponseDto } from './server-backups.dto.js';
import { ServerBackups } from './server-backups.service.js';

/** Refusals of a request that names another node. */
const OTHER_NODE = {
  404: 'There is no such node.',
  502: 'The node did not answer. It may have received the request.',
  503: 'The node cannot be reached.',
};

@Group('ServerBackups')
@Controller('account/server-backups')
export class ServerBackupsController {
  constructor(private readonly backups: ServerBackups) {}

  @Get()
  @AtNamedNode()
  @RequireAccess(Permission.ServerSettingsWrite, on.server)
  @Describe(
    'List the backups of the server',
    'The files that the service made, its last runs, and when the next one is due. With several nodes, each makes files in a folder of its own. A backup holds all secrets of the server, so that no route downloads it: fetch it from the folder.',
  )
  @Answers(200, 'The backups.', ServerBackupsResponseDto, OTHER_NODE)
  list(): Promise<ServerBackupsResponseDto> {
    return this.backups.list();
  }

  @Post()
  @HttpCode(202)
  @AtNamedNode()
  @RequireAccess(Permission.ServerSettingsWrite, on.server)
  @Describe('Back up now', 'The answer comes when the backup has begun; the list has its outcome.')
  @Answers(202, 'The backups, with the one that has begun.', ServerBackupsResponseDto, {
    ...OTHER_NODE,
    409: 'Another backup or a verification runs, or the backup cannot begin; `detail` says why.',
  })
  begin(@Context() context: RequestContext): Promise<ServerBackupsResponseDto> {
    return this.backups.begin(context);
  }

  @Post(':name/verification')
  @HttpCode(202)
  @AtNamedNode()
  @RequireAccess(Permission.ServerSettingsWrite, on.server)
  @Describe(
    'Verify a backup',
    'The service reads the file to its end in the background and compares it with its manifest; the list has the result.',
  )
  @Answers(202, 'The backups, with the verification that has begun.', ServerBackupsResponseDto, {
    ...OTHER_NODE,
    404: 'The folder has no such backup of the service, or there is no such node.',
    409: 'The backup is encrypted, or a backup or another verification runs.',
  })
  verify(
    @Context() context: RequestContext,
    @TextParam('name', 'Name of the file.', 'nightly-20260921T003000Z.backup') name: string,
  ): Promise<ServerBackupsResponseDto> {
    return this.backups.verify(context, name);
  }
}
