import { Controller, Get } from '@nestjs/common';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { Answers, Describe, Group } from '../openapi/operation.js';
import { ServerNodesResponseDto } from './server-nodes.dto.js';
import { ServerNodesService } from './server-nodes.service.js';

@Group('ServerHealth')
@Controller('account/server-nodes')
export class ServerNodesController {
  constructor(private readonly nodes: ServerNodesService) {}

  @Get()
  @RequireAccess(Permission.ServerSettingsWrite, on.server)
  @Describe(
    'List the nodes of the server',
    'Processes of the service on this database, with state, connections and when the answering one heard each, and NATS between them.',
  )
  @Answers(200, 'The nodes.', ServerNodesResponseDto)
  list(@Context() context: RequestContext): Promise<ServerNodesResponseDto> {
    return this.nodes.list(context);
  }
}
