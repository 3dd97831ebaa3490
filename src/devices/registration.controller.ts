import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';

import { CreateDeviceRequestDto, WireTypeError } from '#libs/contracts';

import { AllowAnonymous } from '../authorization/access.js';
import { invalidField } from '../common/errors.js';
import { TrustedProxies } from '../http/trusted-proxies.js';
import { Answers } from '../openapi/operation.js';
import { DeviceResponseDto } from './device.dto.js';
import { CreateDeviceRequestDto as DocumentedRequest } from './registration.dto.js';
import { RegistrationService } from './registration.service.js';

/** Where agents register: anonymous, the installer key in the body authenticates. */
@ApiTags('AgentDevices')
@Controller('api')
export class RegistrationController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly proxies: TrustedProxies,
  ) {}

  @Post('agent/devices')
  @HttpCode(200)
  @AllowAnonymous()
  @ApiBody({ type: DocumentedRequest })
  @Answers(200, '', DeviceResponseDto, { 400: '', 403: '' })
  register(@Req() request: Request, @Body() body: unknown): Promise<DeviceResponseDto> {
    return this.registration.register(decode(body), { requestId: request.id, remoteAddress: this.proxies.addressOf(request) });
  }

  /** The path that older agents use. */
  @Post('devices')
  @HttpCode(200)
  @AllowAnonymous()
  @ApiBody({ type: DocumentedRequest })
  @Answers(200, '', DeviceResponseDto, { 400: '', 403: '' })
  registerOlderAgent(@Req() request: Request, @Body() body: unknown): Promise<DeviceResponseDto> {
    return this.register(request, body);
  }
}

function decode(body: unknown): CreateDeviceRequestDto {
  try {
    return CreateDeviceRequestDto.decode(body, 'json');
  } catch (error) {
    if (error instanceof WireTypeError) throw invalidField(error.path === '' ? '$' : error.path, error.message);
    throw error;
  }
}
