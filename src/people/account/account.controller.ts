import { Body, Controller, Delete, Get, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { userIdOf } from '../../access/authentication/principals/principal.js';
import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { SessionCookie } from '../../access/authentication/sessions/session-cookie.js';
import { RequireRecentProof, RequireSignedIn } from '../../access/authorization/guard/access.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, bytes, Describe, Group } from '../../system/openapi/operation.js';
import { MailAvailability } from '../mail/mail-availability.js';
import { EmailAddresses } from '../registration/email-addresses.js';
import { SignIn } from '../sign-in/sign-in.js';
import { AccountDeletion } from './account-deletion.js';
import { ChangeEmailRequestDto, ChangeProfileRequestDto, DeleteAccountRequestDto, ProfileResponseDto } from './account.dto.js';
import { PersonalData } from './personal-data.js';
import { Profile } from './profile.js';

@Group('Account')
@Controller('account')
export class AccountController {
  constructor(
    private readonly profile: Profile,
    private readonly addresses: EmailAddresses,
    private readonly personalData: PersonalData,
    private readonly deletion: AccountDeletion,
    private readonly mail: MailAvailability,
    private readonly signIn: SignIn,
    private readonly cookie: SessionCookie,
  ) {}

  @Get('profile')
  @RequireSignedIn()
  @Describe('Read your profile', 'Who you are on this server.')
  @Answers(200, 'The profile.', ProfileResponseDto)
  read(@Context() context: RequestContext): Promise<ProfileResponseDto> {
    return this.profile.get(context);
  }

  @Put('profile')
  @RequireSignedIn()
  @Describe('Change your profile', 'Sets the name that others see; an empty one removes it.')
  @Answers(200, 'The changed profile.', ProfileResponseDto)
  change(@Context() context: RequestContext, @Body() { displayName }: ChangeProfileRequestDto): Promise<ProfileResponseDto> {
    return this.profile.change(context, displayName);
  }

  @Post('email/change')
  @HttpCode(204)
  @RequireSignedIn()
  @RequireRecentProof()
  @Describe(
    'Ask for another e-mail address',
    'Sends a mail to the new address. The account has it, as its user name too, once the link in the mail is confirmed. The answer does not tell whether the address is taken.',
  )
  @Answers(204, 'The mail is sent.', null, { 409: 'The server sends no mail.', 429: 'A mail was sent less than a minute ago.' })
  changeEmail(@Context() context: RequestContext, @Req() request: Request, @Body() { newEmail }: ChangeEmailRequestDto): Promise<void> {
    this.mail.require();
    return this.addresses.askToChange(context, userIdOf(context.principal), newEmail, this.signIn.originOf(request));
  }

  @Get('personal-data')
  @RequireSignedIn()
  @Describe(
    'Download your personal data',
    'Everything that is stored about you, as JSON: one list for each kind. Secrets and their hashes are left out.',
  )
  @Answers(200, 'The data.', bytes('application/json'))
  async download(@Context() context: RequestContext, @Req() request: Request, @Res() response: Response): Promise<void> {
    const data = await this.personalData.of(context, this.signIn.originOf(request));
    response.setHeader('Content-Disposition', 'attachment; filename="personal-data.json"');
    await streamJson(response, data);
  }

  @Delete()
  @HttpCode(204)
  @RequireSignedIn()
  @RequireRecentProof()
  @Describe(
    'Delete your account',
    'Deletes the account with its sessions, tokens, memberships and permission assignments. The last administrator of a tenant or of the server stays.',
  )
  @Answers(204, 'The account is gone, and the browser is signed out.', null)
  async remove(
    @Context() context: RequestContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { email }: DeleteAccountRequestDto,
  ): Promise<void> {
    await this.deletion.run(context, email, this.signIn.originOf(request));
    this.cookie.clear(response);
  }
}
