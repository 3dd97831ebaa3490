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
    'List the states of the users',
    "The state, last sign-in and second factors of all users of the tenant, and the end of each visitor's access.",
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
    'Ends the sessions of the user with their hub connections. Until the suspension is lifted, the service refuses bearer tokens, personal access tokens, links that the user created, and every way to sign in. Callers cannot suspend themselves or the last administrator.',
  )
  @Answers(204, 'The user is suspended.', null, { 404: UNKNOWN, 409: 'The user has not accepted the invite yet.' })
  suspend(@Context() context: TenantContext, @GuidParam('userId', USER_ID) userId: string): Promise<void> {
    return this.suspension.suspend(context, userId);
  }

  @Delete(':userId/suspension')
  @HttpCode(204)
  @RequireAccess(Permission.TenantUsersWrite)
  @Describe(
    'Lift the suspension of a user',
    'The user can sign in, and personal access tokens work again. Sessions that the suspension ended stay ended.',
  )
  @Answers(204, 'The suspension is lifted.', null, { 404: UNKNOWN })
  lift(@Context() context: TenantContext, @GuidParam('userId', USER_ID) userId: string): Promise<void> {
    return this.suspension.lift(context, userId);
  }
}
