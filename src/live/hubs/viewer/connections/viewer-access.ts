import { Injectable } from '@nestjs/common';

import { AuthenticationService } from '../../../../access/authentication/authentication.service.js';
import { AuthorizationService } from '../../../../access/authorization/evaluation/authorization.service.js';
import type { DeviceResource } from '../../../../access/authorization/evaluation/rules.js';
import type { PermissionDefinition } from '../../../../access/authorization/permissions/permission.js';
import type { ConnectedViewer } from './connected-viewer.js';

/** The present rights of viewers. A viewer whose credential has ended has none, and is disconnected. */
@Injectable()
export class ViewerAccess {
  constructor(
    private readonly authentication: AuthenticationService,
    private readonly authorization: AuthorizationService,
  ) {}

  /** True if the viewer holds a permission on a device now. */
  async mayUse(viewer: ConnectedViewer, permission: PermissionDefinition, device: DeviceResource): Promise<boolean> {
    return (await this.isSignedIn(viewer)) && (await this.authorization.isAllowed(viewer.principal, permission, device));
  }

  /** True if the viewer holds a permission on the server now. */
  async mayOnServer(viewer: ConnectedViewer, permission: PermissionDefinition): Promise<boolean> {
    return (await this.isSignedIn(viewer)) && this.authorization.isAllowed(viewer.principal, permission, { kind: 'Server' });
  }

  /** Checks that the viewer's credential is still valid, and disconnects the viewer if not. */
  async isSignedIn(viewer: ConnectedViewer): Promise<boolean> {
    const isValid = await this.authentication.isStillValid(viewer.principal);
    if (!isValid) viewer.signOut();
    return isValid;
  }

  /** True if the device exists and the viewer holds the permission on it now. */
  async reaches(viewer: ConnectedViewer, permission: PermissionDefinition, deviceId: string): Promise<boolean> {
    const device = await this.authorization.device(deviceId);
    return device !== null && this.mayUse(viewer, permission, device);
  }
}
