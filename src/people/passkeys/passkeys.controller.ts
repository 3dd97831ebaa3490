import { Body, Controller, Delete, Get, HttpCode, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';

import { userIdOf } from '../../access/authentication/principals/principal.js';
import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { RequireRecentProof, RequireRecentSignInOfPrograms, RequireSignedIn } from '../../access/authorization/guard/access.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { SignIn } from '../sign-in/sign-in.js';
import { AddPasskeyRequestDto, PasskeyDto, PasskeysResponseDto, RenamePasskeyRequestDto } from './passkey.dto.js';
import { describePasskey, MAXIMUM_PASSKEYS, PasskeysService } from './passkeys.service.js';
import { RelyingParties } from './relying-party.js';
import { PasskeyCreationOptionsDto } from './webauthn.dto.js';

const UNKNOWN = 'You have no such passkey.';
const ID = 'Id of the passkey.';

@Group('Passkeys')
@Controller('account/passkeys')
export class PasskeysController {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly parties: RelyingParties,
    private readonly signIn: SignIn,
  ) {}

  @Get()
  @RequireSignedIn()
  @Describe('List your passkeys', 'The passkeys that you can sign in with.')
  @Answers(200, 'The passkeys.', PasskeysResponseDto)
  async list(@Context() { manager, principal }: RequestContext): Promise<PasskeysResponseDto> {
    const passkeys = await this.passkeys.list(manager, userIdOf(principal));
    return { items: passkeys.map(describePasskey), maximum: MAXIMUM_PASSKEYS };
  }

  @Post('registration-options')
  @HttpCode(200)
  @RequireSignedIn()
  @RequireRecentProof()
  @Describe(
    'Begin to add a passkey',
    'Pass the answer to `PublicKeyCredential.parseCreationOptionsFromJSON()`, and its result to `navigator.credentials.create()`. Send the resulting credential to `POST /account/passkeys`.',
  )
  @Answers(200, 'The options with which the browser creates a passkey.', PasskeyCreationOptionsDto, {
    409: `You already have ${MAXIMUM_PASSKEYS} passkeys, or the service has no domain name.`,
  })
  registrationOptions(@Context() context: RequestContext): Promise<PasskeyCreationOptionsDto> {
    return this.passkeys.creationOptions(context, this.parties.party());
  }

  @Post()
  @RequireSignedIn()
  @RequireRecentProof()
  @Describe('Add a passkey', 'The credential must have been created with options of this session, on a page of the service.')
  @Answers(201, 'The new passkey.', PasskeyDto, {
    401: 'The session has ended, or its challenge has expired or was already used.',
    409: `You already have ${MAXIMUM_PASSKEYS} passkeys, or this one was added before.`,
  })
  add(@Context() context: RequestContext, @Req() request: Request, @Body() body: AddPasskeyRequestDto): Promise<PasskeyDto> {
    return this.passkeys.add(context, body, this.parties.party(), this.signIn.originOf(request));
  }

  @Put(':id')
  @RequireSignedIn()
  @RequireRecentSignInOfPrograms()
  @Describe('Rename a passkey', 'Changes only the name.')
  @Answers(200, 'The passkey with its new name.', PasskeyDto, { 404: UNKNOWN })
  rename(
    @Context() context: RequestContext,
    @Req() request: Request,
    @GuidParam('id', ID) id: string,
    @Body() { name }: RenamePasskeyRequestDto,
  ): Promise<PasskeyDto> {
    return this.passkeys.rename(context, id, name, this.signIn.originOf(request));
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireSignedIn()
  @RequireRecentProof()
  @Describe('Delete a passkey', 'The passkey can no longer sign in. Sessions that it created continue.')
  @Answers(204, 'The passkey is deleted.', null, { 404: UNKNOWN, 409: 'It is your only way to sign in.' })
  remove(@Context() context: RequestContext, @Req() request: Request, @GuidParam('id', ID) id: string): Promise<void> {
    return this.passkeys.remove(context, id, this.signIn.originOf(request));
  }
}
