import { Injectable } from '@nestjs/common';

import { AuthenticationService } from '../../../access/authentication/authentication.service.js';
import { AuthorizationService } from '../../../access/authorization/authorization.service.js';
import type { PermissionDefinition } from '../../../access/authorization/permission.js';
import type { DeviceResource } from '../../../access/authorization/rules.js';
import type { ConnectedViewer } from './connected-viewer.js';

/** What a viewer may do now. A viewer whose credential has ended may do nothing, and is disconnected. */
@Injectable()
export class ViewerAccess {
  constructor(
    private readonly authentication: AuthenticationService,
    private readonly authorization: AuthorizationService,
  ) {}

  /** Whether the viewer holds a permission on a device now. */
  async mayUse(viewer: ConnectedViewer, permission: PermissionDefinition, device: DeviceResource): Promise<boolean> {
    return (await this.isSignedIn(viewer)) && this.authorization.isAllowed(viewer.principal, permission, device);
  }

  /** Whether the viewer holds a permission on the server now. */
  async mayOnServer(viewer: ConnectedViewer, permission: PermissionDefinition): Promise<boolean> {
    return (await this.isSignedIn(viewer)) && this.authorization.isAllowed(viewer.principal, permission, { kind: 'Server' });
  }

  /** Whether the viewer's credential may still be used. */
  async isSignedIn(viewer: ConnectedViewer): Promise<boolean> {
    const isValid = await this.authentication.isStillValid(viewer.principal);
    if (!isValid) viewer.signOut();
    return isValid;
  }

  /** Whether the device exists and the viewer holds the permission on it now. */
  async reaches(viewer: ConnectedViewer, permission: PermissionDefinition, deviceId: string): Promise<boolean> {
    const device = await this.authorization.device(deviceId);
    return device !== null && this.mayUse(viewer, permission, device);
  }
}
