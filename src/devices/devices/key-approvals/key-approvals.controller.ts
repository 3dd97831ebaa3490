import { Body, Controller, Delete, Get, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type RequestContext } from '../../../access/authentication/principals/request-context.js';
import { on, RequireAccess } from '../../../access/authorization/guard/access.js';
import { Permission } from '../../../access/authorization/permissions/permission.js';
import { GuidParam } from '../../../platform/http/binding/route-parameters.js';
import { streamJson } from '../../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../../system/openapi/operation.js';
import { ApproveDeviceKeyRequestDto, DeviceKeyApprovalResponseDto } from './key-approval.dto.js';
import { KeyApprovalsService } from './key-approvals.service.js';

const DEVICE_ID = 'Id of the device.';
const UNKNOWN = 'There is no such device for the caller.';

@Group('Devices')
@Controller('api/v1/devices')
export class KeyApprovalsController {
  constructor(private readonly approvals: KeyApprovalsService) {}

  @Get('key-approvals')
  @RequireAccess(Permission.DeviceRead, on.deviceScope)
  @Describe(
    'List the device keys that wait for approval',
    'The waiting keys of every device that the caller may read. The answer is streamed: read it as it arrives.',
  )
  @Answers(200, 'The waiting keys.', [DeviceKeyApprovalResponseDto])
  list(@Context() context: RequestContext, @Res() response: Response): Promise<void> {
    return streamJson(response, this.approvals.list(context));
  }

  @Get(':deviceId/key-approval')
  @RequireAccess(Permission.DeviceRead, on.device('deviceId'))
  @Describe(
    'Get the key of a device',
    "The fingerprint of the key that waits for approval, otherwise of the key that signs the device's reports.",
  )
  @Answers(200, 'The key.', DeviceKeyApprovalResponseDto, { 404: UNKNOWN })
  get(@Context() context: RequestContext, @GuidParam('deviceId', DEVICE_ID) deviceId: string): Promise<DeviceKeyApprovalResponseDto> {
    return this.approvals.get(context, deviceId);
  }

  @Post(':deviceId/key-approval')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceAgentUpdate, on.device('deviceId'))
  @Describe(
    'Approve the new key of a device',
    'The machine with this key becomes the device, and all sessions on the previous machine end. First compare the fingerprint with the output of `install` on the machine.',
  )
  @Answers(200, 'The key, which is now in force.', DeviceKeyApprovalResponseDto, {
    404: UNKNOWN,
    409: 'The device has no waiting key, or its waiting key has another fingerprint.',
  })
  approve(
    @Context() context: RequestContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @Body() body: ApproveDeviceKeyRequestDto,
  ): Promise<DeviceKeyApprovalResponseDto> {
    return this.approvals.approve(context, deviceId, body.fingerprint);
  }

  @Delete(':deviceId/key-approval')
  @HttpCode(204)
  @RequireAccess(Permission.DeviceAgentUpdate, on.device('deviceId'))
  @Describe(
    'Reject the new key of a device',
    'Drops the key. Nothing changes for the agent with the key in force. If the device has no other key, delete the device instead.',
  )
  @Answers(204, 'The key is dropped.', null, {
    404: UNKNOWN,
    409: 'The device has no waiting key, or the waiting key is its only one.',
  })
  refuse(@Context() context: RequestContext, @GuidParam('deviceId', DEVICE_ID) deviceId: string): Promise<void> {
    return this.approvals.refuse(context, deviceId);
  }
}
