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
  @Describe('Read your profile', 'Your names, e-mail address and ids on this server.')
  @Answers(200, 'The profile.', ProfileResponseDto)
  read(@Context() context: RequestContext): Promise<ProfileResponseDto> {
    return this.profile.get(context);
  }

  @Put('profile')
  @RequireSignedIn()
  @Describe('Change your profile', 'Sets the name that other users see. An empty text removes it.')
  @Answers(200, 'The changed profile.', ProfileResponseDto)
  change(@Context() context: RequestContext, @Body() { displayName }: ChangeProfileRequestDto): Promise<ProfileResponseDto> {
    return this.profile.change(context, displayName);
  }

  @Post('email/change')
  @HttpCode(204)
  @RequireSignedIn()
  @RequireRecentProof()
  @Describe(
    'Request a change of your e-mail address',
    'Sends a link to the new address. Opening it changes the address and user name of the account. The answer does not reveal if another account has the address.',
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
    'All stored data about you as JSON, one list for each kind. It contains no secrets or hashes of them.',
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
    'Deletes the account with its sessions, tokens, memberships and permission assignments. The last administrator of a tenant or of the server cannot be deleted.',
  )
  @Answers(204, 'The account is deleted, and the browser is signed out.', null)
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
