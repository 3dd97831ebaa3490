import { Controller, Delete, Get, HttpCode, Put, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { UserStandingsResponseDto } from './user-standing.dto.js';
import { UserStandingsService } from './user-standings.service.js';
import { UserSuspension } from './user-suspension.js';

const USER_ID = 'Id of the user.';
const UNKNOWN = 'The tenant has no such user.';

@Group('UserStanding')
@Controller('account/users')
@TenantInQuery()
export class UserStandingsController {
  constructor(
    private readonly standings: UserStandingsService,
    private readonly suspension: UserSuspension,
  ) {}

  @Get()
  @RequireAccess(Permission.TenantUsersRead)
  @Describe(
    'List the standing of the users',
    'The state of all users of the tenant, their last sign-ins and second factors, and until when visitors are let in.',
  )
  @Answers(200, 'The users.', UserStandingsResponseDto)
  list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.standings.list(context) });
  }

  @Put(':userId/suspension')
  @HttpCode(204)
  @RequireAccess(Permission.TenantUsersWrite)
  @Describe(
    'Suspend a user',
    'Ends the sessions of the user with their hub connections. Bearer tokens, personal access tokens, links that the user made and every way to sign in are refused until the suspension is lifted. Callers cannot suspend themselves, and an administrator must be left.',
  )
  @Answers(204, 'The user is suspended.', null, { 404: UNKNOWN, 409: 'The user has not accepted the invite yet.' })
  suspend(@Context() context: TenantContext, @GuidParam('userId', USER_ID) userId: string): Promise<void> {
    return this.suspension.suspend(context, userId);
  }

  @Delete(':userId/suspension')
  @HttpCode(204)
  @RequireAccess(Permission.TenantUsersWrite)
  @Describe('Let a user sign in again', 'Personal access tokens work again. Sessions that the suspension ended stay ended.')
  @Answers(204, 'The user is not suspended any more.', null, { 404: UNKNOWN })
  lift(@Context() context: TenantContext, @GuidParam('userId', USER_ID) userId: string): Promise<void> {
    return this.suspension.lift(context, userId);
  }
}
