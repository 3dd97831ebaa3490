import { Injectable, Logger } from '@nestjs/common';

import { hubFailure, REFUSED_REASON, type HubResultOf, type ViewerMethodRules } from '#libs/contracts';

import { AuthenticationService } from '../../authentication/authentication.service.js';
import { AuthorizationService } from '../../authorization/authorization.service.js';
import { findPermission, type PermissionDefinition } from '../../authorization/permission.js';
import type { DeviceResource } from '../../authorization/rules.js';
import type { ConnectedViewer } from './connected-viewer.js';

const SIGNED_OUT = 'The credential of this connection is not valid any more.';

/** The one gate in front of everything that a viewer does to a device: holding a connection grants nothing. */
@Injectable()
export class ViewerAccess {
  private readonly logger = new Logger('ViewerHub');

  constructor(
    private readonly authentication: AuthenticationService,
    private readonly authorization: AuthorizationService,
  ) {}

  /**
   * Runs `work` on a device when the caller holds the permission of the method's rules; a missing device counts as
   * refused. Whatever fails becomes a failure with the method's own reason, never an exception.
   */
  async onDevice<T>(
    viewer: ConnectedViewer,
    rules: ViewerMethodRules,
    deviceId: string,
    work: (device: DeviceResource) => Promise<HubResultOf<T>>,
  ): Promise<HubResultOf<T>> {
    try {
      const device = await this.authorization.device(deviceId);
      if (device === null) return hubFailure(rules.unknownDeviceReason !== undefined ? rules.unknownDeviceReason : REFUSED_REASON);
      if (!(await this.mayUse(viewer, permissionOf(rules), device))) return hubFailure(REFUSED_REASON);
      return await work(device);
    } catch (error) {
      this.logger.warn({
        message: 'A viewer call failed.',
        deviceId,
        connectionId: viewer.connectionId,
        error: error instanceof Error ? error.message : String(error),
      });
      return hubFailure(rules.exceptionReason ?? 'An error occurred.');
    }
  }

  /** Whether the viewer holds a permission on a device now. A viewer whose credential has ended is disconnected. */
  async mayUse(viewer: ConnectedViewer, permission: PermissionDefinition, device: DeviceResource): Promise<boolean> {
    if (!(await this.authentication.isStillValid(viewer.principal))) {
      viewer.connection.abort(SIGNED_OUT);
      return false;
    }
    return this.authorization.isAllowed(viewer.principal, permission, device);
  }

  /** The devices of a list that the viewer may read. */
  async readable(viewer: ConnectedViewer, permission: PermissionDefinition, deviceIds: Iterable<string>): Promise<string[]> {
    const readable: string[] = [];
    for (const id of deviceIds) {
      const device = await this.authorization.device(id);
      if (device !== null && (await this.mayUse(viewer, permission, device))) readable.push(id);
    }
    return readable;
  }
}

function permissionOf(rules: ViewerMethodRules): PermissionDefinition {
  const permission = rules.permission === null ? undefined : findPermission(rules.permission);
  if (permission === undefined) throw new Error(`The method's permission ${rules.permission} is not in the catalogue.`);
  return permission;
}
