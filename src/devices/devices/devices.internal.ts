import { Body, Post } from '@nestjs/common';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { CallerSignal } from '../../platform/http/connections/caller-signal.js';
import { internalTwinOf, TwinOf } from '../../system/internal-surface/internal-twin.js';
import { DeviceSearchResponseDto, LenientDeviceSearchRequestDto } from './device.dto.js';
import { DevicesController } from './devices.controller.js';
import { findSearchProperty } from './search/search-properties.js';

export class DevicesInternalController extends internalTwinOf(DevicesController, 'api/devices', {
  list: {},
  summary: {},
  removeMany: { inTenantOfCaller: true },
  get: {},
  setAlias: {},
  remove: {},
}) {
  @TwinOf(DevicesController, 'search')
  @Post('search')
  searchLeniently(
    @Context() context: RequestContext,
    @Body() body: LenientDeviceSearchRequestDto,
    @CallerSignal() signal: AbortSignal,
  ): Promise<DeviceSearchResponseDto> {
    const [page, pageSize] = [Math.max(body.page, 0), Math.max(body.pageSize, 1)];
    const filterDefinitions = ofKnownProperties(body.filterDefinitions);
    const sortDefinitions = ofKnownProperties(body.sortDefinitions);
    return this.search(context, { ...body, page, pageSize, filterDefinitions, sortDefinitions }, signal);
  }
}

function ofKnownProperties<T extends { readonly propertyName: string | null }>(definitions: readonly T[] | null): T[] {
  return (definitions ?? []).filter(({ propertyName }) => propertyName === null || findSearchProperty(propertyName) !== undefined);
}
