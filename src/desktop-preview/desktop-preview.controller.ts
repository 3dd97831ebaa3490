import { Controller, Get, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { on, RequireAccess, TenantInQuery } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam, IntParam } from '../http/binding/route-parameters.js';
import { DeviceTimes } from '../device-link/device-times.js';
import { ResponseBody } from '../file-system/response-body.js';
import { Answers, bytes } from '../openapi/operation.js';
import { DesktopPreviewService } from './desktop-preview.service.js';

const JPEG = bytes('image/jpeg');

@ApiTags('DesktopPreview')
@Controller('api/v1/desktop-preview')
@TenantInQuery()
export class DesktopPreviewController {
  constructor(
    private readonly previews: DesktopPreviewService,
    private readonly times: DeviceTimes,
  ) {}

  @Get(':deviceId/:targetProcessId')
  @RequireAccess(Permission.DeviceDesktopPreviewRead, on.device('deviceId'))
  @Answers(200, '', JPEG, { 404: '', 409: '', 502: '' })
  get(
    @Context() { principal }: TenantContext,
    @GuidParam('deviceId', '') deviceId: string,
    @IntParam('targetProcessId', '') targetProcessId: number,
    @Res() response: Response,
  ): Promise<void> {
    return ResponseBody.write(response, this.times.idleMs, (body) => this.previews.write(principal, deviceId, targetProcessId, body));
  }
}
