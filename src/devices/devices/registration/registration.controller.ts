import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { CreateDeviceRequestDto, WireTypeError } from '#libs/contracts';

import { AddressRateLimit, LIMITED } from '../../../access/authentication/visitors/address-rate-limit.js';
import { AllowAnonymous } from '../../../access/authorization/guard/access.js';
import { invalidField } from '../../../platform/common/errors/errors.js';
import { TrustedProxies } from '../../../platform/http/addresses/trusted-proxies.js';
import { Answers, Describe, Group, Takes } from '../../../system/openapi/operation.js';
import { DeviceResponseDto } from '../device.dto.js';
import { CheckInstallerKeyRequestDto, CreateDeviceRequestDto as DocumentedRequest } from './registration.dto.js';
import { RegistrationService } from './registration.service.js';

const REFUSALS = {
  400: 'The body is invalid, or the installer key is unknown, used up, expired or not valid for this request.',
  403: 'The device is registered in another tenant or belongs to another customer, or the creator of the key may not do this.',
};

/** Registration of agents: anonymous, the installer key in the body authenticates. */
@Group('AgentDevices')
@Controller('api')
export class RegistrationController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly proxies: TrustedProxies,
  ) {}

  @Post('agent/devices')
  @HttpCode(200)
  @AllowAnonymous()
  @Takes({ type: DocumentedRequest })
  @Describe(
    'Register a device',
    "Makes the machine of an agent a device of the installer key's tenant. A device that is already registered gets the new public key, and the tags and customer in the request. If the tenant setting `require-approval-for-new-device-keys` is on, the service sends the device nothing until that key is approved.",
  )
  @Answers(200, 'The registered device.', DeviceResponseDto, REFUSALS)
  register(@Req() request: Request, @Body() body: unknown): Promise<DeviceResponseDto> {
    return this.registration.register(decode(body), { requestId: request.id, remoteAddress: this.proxies.addressOf(request) });
  }

  /** Check by installation scripts before they download the agent. */
  @Post('agent/installer-keys/check')
  @HttpCode(204)
  @AllowAnonymous()
  @UseGuards(AddressRateLimit)
  @Describe(
    'Check an installer key',
    'Checks before the download of an agent if the key can register a new device. The check does not use the key. Unknown, used-up and expired keys get the same answer.',
  )
  @Answers(204, 'The key can register a device.', null, {
    404: 'The key is unknown, used up or expired.',
    429: LIMITED,
  })
  check(@Body() { installerKeyId, installerKeySecret }: CheckInstallerKeyRequestDto): Promise<void> {
    return this.registration.requireKey(installerKeyId, installerKeySecret);
  }

  /** The path that older agents use. */
  @Post('devices')
  @HttpCode(200)
  @AllowAnonymous()
  @Takes({ type: DocumentedRequest })
  @Describe('Register a device (older agents)', 'The same as `POST /api/agent/devices`, at the path of older agents.')
  @Answers(200, 'The registered device.', DeviceResponseDto, REFUSALS)
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
