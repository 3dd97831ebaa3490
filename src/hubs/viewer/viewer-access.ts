import { Injectable, Logger } from '@nestjs/common';

import { hubFailure, REFUSED_REASON, type HubResultOf, type ViewerMethodRules } from '#libs/contracts';

import { AuthenticationService } from '../../authentication/authentication.service.js';
import { mayNameTenant } from '../../authentication/principal.js';
import { AuthorizationService } from '../../authorization/authorization.service.js';
import { findPermission, type PermissionDefinition } from '../../authorization/permission.js';
import type { DeviceResource } from '../../authorization/rules.js';
import { messageOf } from '../../common/errors.js';
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
   * Runs `work` on a device when the caller holds the permission of the method's rules. An unknown device and one of a
   * tenant that the caller cannot name answer in the same words. Whatever fails becomes a failure with the method's own
   * reason, never an exception.
   */
  async onDevice<T>(
    viewer: ConnectedViewer,
    rules: ViewerMethodRules,
    deviceId: string,
    work: (device: DeviceResource) => Promise<HubResultOf<T>>,
  ): Promise<HubResultOf<T>> {
    try {
      const device = await this.authorization.device(deviceId);
      if (device === null || !mayNameTenant(viewer.principal, device.tenantId))
        return hubFailure(rules.unknownDeviceReason ?? REFUSED_REASON);
      if (!(await this.mayUse(viewer, permissionOf(rules), device))) return hubFailure(REFUSED_REASON);
      return await work(device);
    } catch (error) {
      this.logger.warn({
        message: 'A viewer call failed.',
        deviceId,
        connectionId: viewer.connectionId,
        error: messageOf(error),
      });
      return hubFailure(rules.exceptionReason ?? 'An error occurred.');
    }
  }

  /** Whether the viewer holds a permission on a device now. A viewer whose credential has ended is disconnected. */
  async mayUse(viewer: ConnectedViewer, permission: PermissionDefinition, device: DeviceResource): Promise<boolean> {
    return (await this.isSignedIn(viewer)) && this.authorization.isAllowed(viewer.principal, permission, device);
  }

  /** Whether the viewer holds a permission on the server now. A viewer whose credential has ended is disconnected. */
  async mayOnServer(viewer: ConnectedViewer, permission: PermissionDefinition): Promise<boolean> {
    return (await this.isSignedIn(viewer)) && this.authorization.isAllowed(viewer.principal, permission, { kind: 'Server' });
  }

  /** Whether the viewer's credential may still be used; disconnects the viewer when not. */
  async isSignedIn(viewer: ConnectedViewer): Promise<boolean> {
    const isValid = await this.authentication.isStillValid(viewer.principal);
    if (!isValid) viewer.connection.abort(SIGNED_OUT);
    return isValid;
  }

  /** Whether the device exists and the viewer holds the permission on it now. */
  async reaches(viewer: ConnectedViewer, permission: PermissionDefinition, deviceId: string): Promise<boolean> {
    const device = await this.authorization.device(deviceId);
    return device !== null && this.mayUse(viewer, permission, device);
  }
}

function permissionOf(rules: ViewerMethodRules): PermissionDefinition {
  const permission = rules.permission === null ? undefined : findPermission(rules.permission);
  if (permission === undefined) throw new Error(`The method's permission ${rules.permission} is not in the catalogue.`);
  return permission;
}
