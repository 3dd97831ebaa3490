import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import type { DeviceResource } from '../../../../access/authorization/evaluation/rules.js';
import { UserPreferencesService } from '../../../../people/user-preferences/user-preferences.service.js';
import { UsersService } from '../../../../people/users/users.service.js';
import type { ConnectedViewer } from './connected-viewer.js';

/** The names under which people at devices see viewers. */
@Injectable()
export class ViewerNames {
  constructor(
    private readonly preferences: UserPreferencesService,
    private readonly users: UsersService,
    private readonly dataSource: DataSource,
  ) {}

  /** The display name that the viewer's account has chosen, else the name of its account. */
  async nameOf(viewer: ConnectedViewer, device: DeviceResource): Promise<string> {
    const { principal } = viewer;
    // The session of a logon token shows the name of its user, not one that the session has chosen.
    if (principal.type === 'User' && principal.credential.type === 'LogonToken') {
      return (await this.users.shownNameOf(this.dataSource.manager, principal.id)) ?? principal.name;
    }
    const context = { ...viewer.actor, tenantId: device.tenantId, manager: this.dataSource.manager };
    const { userDisplayName } = await this.preferences.list(context);
    return userDisplayName === '' ? principal.name : userDisplayName;
  }

  /** The sender of a chat message. Service accounts have no e-mail address. */
  async senderOf(viewer: ConnectedViewer, device: DeviceResource): Promise<{ readonly senderName: string; readonly senderEmail: string }> {
    const { principal } = viewer;
    const [senderName, email] = await Promise.all([
      this.nameOf(viewer, device),
      principal.type === 'User' ? this.users.emailOf(this.dataSource.manager, principal.id) : null,
    ]);
    return { senderName, senderEmail: email ?? '' };
  }
}
