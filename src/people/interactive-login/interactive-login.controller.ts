import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { LIMITED, AddressRateLimit } from '../../access/authentication/visitors/address-rate-limit.js';
import { AllowAnonymous } from '../../access/authorization/guard/access.js';
import { unauthorized } from '../../platform/common/errors/errors.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { SUSPENDED } from '../sign-in/refused-identity.js';
import { InteractiveLoginResponseDto, LoginRequestDto } from './interactive-login.dto.js';
import { InteractiveLogin } from './interactive-login.js';

/** An answer to a caller who is not signed in. */
const NOTHING: InteractiveLoginResponseDto = { requiresTwoFactor: false, isLockedOut: false, requiresPasswordChange: false, tokens: null };

@Group('Auth')
@Controller('api/auth')
export class InteractiveLoginController {
  constructor(private readonly login: InteractiveLogin) {}

  @Post('interactive-login')
  @HttpCode(200)
  @AllowAnonymous()
  @UseGuards(AddressRateLimit)
  @Describe('Sign in for bearer tokens', 'Unknown names get the same answer as wrong passwords, and are locked like accounts.')
  @Answers(200, 'The outcome of the sign-in. Only a complete sign-in has tokens.', InteractiveLoginResponseDto, {
    401: 'The address is unknown, the password or the code is wrong, the address must be confirmed first, or the user is suspended.',
    429: LIMITED,
  })
  async signIn(@Req() request: Request, @Body() body: LoginRequestDto): Promise<InteractiveLoginResponseDto> {
    const outcome = await this.login.prove(request, body);
    switch (outcome.kind) {
      case 'Accepted': {
        if (outcome.account.requirePasswordChange) return { ...NOTHING, requiresPasswordChange: true };
        const { accessToken, expiresIn, refreshToken } = await this.login.open(request, outcome.account);
        return { ...NOTHING, tokens: { tokenType: 'Bearer', accessToken, expiresInSeconds: expiresIn, refreshToken } };
      }
      case 'TwoFactorRequired':
        return { ...NOTHING, requiresTwoFactor: true };
      case 'LockedOut':
        return { ...NOTHING, isLockedOut: true };
      case 'Refused':
        throw unauthorized('The address, the password or the code is wrong.');
      case 'EmailNotConfirmed':
        throw unauthorized('The e-mail address has to be confirmed first.');
      case 'Suspended':
        throw unauthorized(SUSPENDED);
    }
  }
}
