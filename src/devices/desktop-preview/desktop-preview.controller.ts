import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { TransferRights } from '../../access/authorization/revocation/transfer-rights.js';
import { GuidParam, IntParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, bytes, Describe, Group } from '../../system/openapi/operation.js';
import { AtDeviceNode } from '../device-link/at-device-node.js';
import { DeviceTimes } from '../device-link/device-times.js';
import { ResponseBody } from '../file-system/response-body.js';
import { DesktopPreviewService } from './desktop-preview.service.js';

const JPEG = bytes('image/jpeg');

@Group('DesktopPreview')
@Controller('api/v1/desktop-preview')
@TenantInQuery()
export class DesktopPreviewController {
  constructor(
    private readonly previews: DesktopPreviewService,
    private readonly times: DeviceTimes,
    private readonly rights: TransferRights,
  ) {}

  @Get(':deviceId/:targetProcessId')
  @AtDeviceNode()
  @RequireAccess(Permission.DeviceDesktopPreviewRead, on.device('deviceId'))
  @Describe(
    'Get a picture of a desktop',
    'Asks the device for a picture of one of its desktops as it is now. The call waits while the device stays connected.',
  )
  @Answers(200, 'The picture as JPEG.', JPEG, {
    404: 'The tenant has no such device, or the device has no such desktop session.',
    409: 'The device is offline.',
    502: 'The device refused, or its connection ended; `detail` contains the reason.',
  })
  get(
    @Context() { principal }: TenantContext,
    @GuidParam('deviceId', 'Id of the device.') deviceId: string,
    @IntParam('targetProcessId', 'Process id of the desktop session, from the list of desktop sessions.') targetProcessId: number,
    @Res() response: Response,
  ): Promise<void> {
    const limits = { idleMs: this.times.idleMs, ended: this.rights.endOf(response.req) };
    return ResponseBody.write(response, limits, (body) => this.previews.write(principal, deviceId, targetProcessId, body));
  }
}
