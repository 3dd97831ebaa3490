import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { userIdOf } from '../../access/authentication/principals/principal.js';
import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { Visitors } from '../../access/authentication/visitors/visitors.js';
import { RequireRecentProof, RequireSignedIn } from '../../access/authorization/guard/access.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { AuthenticatorKeyDto, EnableTwoFactorRequestDto, RecoveryCodesDto, TwoFactorStatusDto } from './two-factor.dto.js';
import { TwoFactorService } from './two-factor.service.js';

const IS_ON = 'Two-factor sign-in is already on.';

@Group('TwoFactor')
@Controller('account/two-factor')
export class TwoFactorController {
  constructor(
    private readonly twoFactor: TwoFactorService,
    private readonly visitors: Visitors,
  ) {}

  @Get()
  @RequireSignedIn()
  @Describe('Get the state of two-factor sign-in', 'The state, and the number of unused recovery codes.')
  @Answers(200, 'The state.', TwoFactorStatusDto)
  status(@Context() context: RequestContext): Promise<TwoFactorStatusDto> {
    return this.twoFactor.status(context, userIdOf(context.principal));
  }

  @Post('setup')
  @HttpCode(200)
  @RequireSignedIn()
  @RequireRecentProof()
  @Describe('Get a key for an authenticator app', 'The key takes effect when a code of the app confirms it.')
  @Answers(200, 'The key. It cannot be read again.', AuthenticatorKeyDto, { 409: IS_ON })
  setUp(@Context() context: RequestContext): Promise<AuthenticatorKeyDto> {
    return this.twoFactor.setUp(context, userIdOf(context.principal));
  }

  @Post('enable')
  @HttpCode(200)
  @RequireSignedIn()
  @RequireRecentProof()
  @Describe('Turn on two-factor sign-in', 'Takes a code of the app that was set up. Other sessions of the user end.')
  @Answers(200, 'The recovery codes.', RecoveryCodesDto, { 409: `${IS_ON} Or no app was set up.` })
  async enable(
    @Context() context: RequestContext,
    @Req() request: Request,
    @Body() { code }: EnableTwoFactorRequestDto,
  ): Promise<RecoveryCodesDto> {
    return { recoveryCodes: await this.twoFactor.enable(context, userIdOf(context.principal), code, this.originOf(request)) };
  }

  @Post('disable')
  @HttpCode(204)
  @RequireSignedIn()
  @RequireRecentProof()
  @Describe('Turn off two-factor sign-in', "Deletes the app's key and the recovery codes. Other sessions of the user end.")
  @Answers(204, 'Two-factor sign-in is off.', null)
  disable(@Context() context: RequestContext, @Req() request: Request): Promise<void> {
    return this.twoFactor.disable(context, userIdOf(context.principal), this.originOf(request));
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @RequireSignedIn()
  @RequireRecentProof()
  @Describe('Create new recovery codes', 'The previous codes stop working.')
  @Answers(200, 'The recovery codes.', RecoveryCodesDto, { 409: 'Two-factor sign-in is off.' })
  async newCodes(@Context() context: RequestContext, @Req() request: Request): Promise<RecoveryCodesDto> {
    return { recoveryCodes: await this.twoFactor.newCodes(context, userIdOf(context.principal), this.originOf(request)) };
  }

  private originOf(request: Request): { visitor: ReturnType<Visitors['of']>; requestId: string } {
    return { visitor: this.visitors.of(request), requestId: request.id };
  }
}
