import { Injectable } from '@nestjs/common';

import { agentClient } from '#libs/contracts';

import type { Principal } from '../../access/authentication/principals/principal.js';
import { mayReachAllDesktops, visibleDesktopSessions } from './desktop-sessions.js';
import { DeviceLink } from './device-link.js';

/** Decides which desktops of a device a caller reaches by the process that shows them. Only the device knows the session of a process. */
@Injectable()
export class DesktopReach {
  constructor(private readonly link: DeviceLink) {}

  /**
   * Checks that a principal may reach the desktop of a process. Where its logon token lists desktop sessions, the device is asked, and a
   * process that it does not name is refused.
   */
  async mayReachProcess(principal: Principal, deviceId: string, processId: number): Promise<boolean> {
    if (mayReachAllDesktops(principal, deviceId)) return true;
    const sessions = await (await this.link.reach(deviceId)).invoke(agentClient.GetActiveDesktopSessions, []);
    return visibleDesktopSessions(principal, deviceId, sessions).some((session) => session.processId === processId);
  }
}
