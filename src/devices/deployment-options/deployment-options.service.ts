import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import type { DeviceResource } from '../../access/authorization/evaluation/rules.js';
import { RulesRepository } from '../../access/authorization/evaluation/rules.repository.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { invalidField } from '../../platform/common/errors/errors.js';
import { EMPTY_GUID } from '../../platform/common/identifiers/guid.js';
import { TenantSettingsService } from '../../tenants/tenant-settings/tenant-settings.service.js';
import type { DeploymentOptionsDto, DeploymentTagCapabilityRequestDto } from './deployment-options.dto.js';

/** The tenant's options and the caller's rights for writing an installation command for agents. */
@Injectable()
export class DeploymentOptionsService {
  constructor(
    private readonly settings: TenantSettingsService,
    private readonly authorization: AuthorizationService,
    private readonly rules: RulesRepository,
  ) {}

  /** The tenant's options for installing agents. */
  async get(context: TenantContext): Promise<DeploymentOptionsDto> {
    const { appendInstanceId, instanceId } = await this.settings.list(context);
    return { appendInstanceId: appendInstanceId ?? false, instanceId };
  }

  /** Checks that the caller may choose the tags of a device that it is about to install. 400 for a customer of another tenant. */
  async mayTag(context: TenantContext, { deviceId, customerId }: DeploymentTagCapabilityRequestDto): Promise<boolean> {
    const { tenantId, principal } = context;
    if (customerId !== null && (await this.rules.tenantOf('CustomerTenant', customerId)) !== tenantId) {
      throw invalidField('customerId', 'customerId is not a customer of this tenant.');
    }
    const known = deviceId === null ? null : await this.authorization.device(deviceId);
    const prospective: DeviceResource = { kind: 'Device', id: deviceId ?? EMPTY_GUID, tenantId, customerId, deviceGroupIds: [] };
    const device = known?.tenantId === tenantId ? known : prospective;
    return this.authorization.isAllowed(principal, Permission.DeviceTagsWrite, device);
  }
}
