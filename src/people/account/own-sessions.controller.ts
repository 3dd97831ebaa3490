import { Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { RequireRecentSignInOfPrograms, RequireSignedIn } from '../../access/authorization/guard/access.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { SignIn } from '../sign-in/sign-in.js';
import { EndedSessionsResponseDto, OwnSessionsResponseDto } from './account.dto.js';
import { OwnSessions } from './own-sessions.js';

@Group('Account')
@Controller('account/sessions')
export class OwnSessionsController {
  constructor(
    private readonly sessions: OwnSessions,
    private readonly signIn: SignIn,
  ) {}

  @Get()
  @RequireSignedIn()
  @Describe('List your sessions', 'The browsers and programs in which you are signed in.')
  @Answers(200, 'The sessions.', OwnSessionsResponseDto)
  async list(@Context() context: RequestContext): Promise<OwnSessionsResponseDto> {
    return { items: await this.sessions.list(context) };
  }

  @Delete(':sessionId')
  @HttpCode(204)
  @RequireSignedIn()
  @RequireRecentSignInOfPrograms()
  @Describe('End one of your sessions', 'Signs its browser or program out within a second, including hub connections.')
  @Answers(204, 'The session has ended.', null, { 404: 'You have no such session.' })
  end(
    @Context() context: RequestContext,
    @Req() request: Request,
    @GuidParam('sessionId', 'Id of the session.') sessionId: string,
  ): Promise<void> {
    return this.sessions.end(context, sessionId, this.signIn.originOf(request));
  }

  @Post('end-others')
  @HttpCode(200)
  @RequireSignedIn()
  @RequireRecentSignInOfPrograms()
  @Describe('End your other sessions', 'Ends all sessions except the one of this request.')
  @Answers(200, 'The other sessions have ended.', EndedSessionsResponseDto)
  async endOthers(@Context() context: RequestContext, @Req() request: Request): Promise<EndedSessionsResponseDto> {
    return { count: await this.sessions.endOthers(context, this.signIn.originOf(request)) };
  }
}
