import { Inject, Injectable, Optional } from '@nestjs/common';

import { agentClient, viewerHub } from '#libs/contracts';

import { devicePermission } from '../../../../access/authorization/permissions/permission.js';
import { StandingRights, type EndCause } from '../../../../access/authorization/revocation/standing-rights.js';
import { DeviceLink } from '../../../../devices/device-link/device-link.js';
import { terminalKey, type ConnectedViewer, type Terminal } from '../connections/connected-viewer.js';
import { OTHER_VIEWERS, type OtherViewers } from '../other-viewers.js';
import { TerminalActivities } from './terminal-activities.js';

/** The permission that a viewer needs on a device to use its terminals. */
export const TERMINAL_PERMISSION = devicePermission(viewerHub.CreateTerminalSession2.access.permission);

/** Terminals that one viewer may use at once. Beyond, the one that was used longest ago is closed. */
const MAXIMUM_TERMINALS = 256;

/**
 * The terminals that viewers use. A terminal is a process on the device, of which it has a limited number: when its viewer leaves or
 * loses the right, it is closed there at once.
 */
@Injectable()
export class ViewerTerminals {
  /** The viewer that used each terminal last. Only its leaving closes the terminal: another one may have taken it over. */
  private readonly users = new Map<string, ConnectedViewer>();

  constructor(
    private readonly link: DeviceLink,
    private readonly rights: StandingRights,
    private readonly activities: TerminalActivities,
    @Optional() @Inject(OTHER_VIEWERS) private readonly others?: OtherViewers,
  ) {}

  /** Notes that the viewer uses a terminal, so that its output may come back. False when the viewer has disconnected already. */
  async use(viewer: ConnectedViewer, deviceId: string, terminalId: string): Promise<boolean> {
    if (!viewer.connection.isOpen) return false;
    const key = terminalKey(deviceId, terminalId);
    const [agent] = await Promise.all([
      this.link.placeOf(deviceId),
      this.others?.arrived(viewer.connectionId),
      this.users.get(key) === viewer ? undefined : this.others?.tookOver(deviceId, terminalId),
    ]);
    if (!viewer.connection.isOpen) return false;
    const known = viewer.terminals.get(key);
    viewer.terminals.delete(key);
    if (known === undefined && viewer.terminals.size >= MAXIMUM_TERMINALS) this.closeOldest(viewer);
    const terminal = known ?? this.begin(viewer, deviceId, terminalId);
    terminal.agent = agent ?? terminal.agent;
    viewer.terminals.set(key, terminal);
    this.users.set(key, viewer);
    this.activities.takeOver(viewer, deviceId, terminalId);
    return true;
  }

  /** The viewer that used the terminal last. */
  userOf(deviceId: string, terminalId: string): ConnectedViewer | undefined {
    return this.users.get(terminalKey(deviceId, terminalId));
  }

  /** A viewer of another node uses the terminal now: the leaving of the one that used it here does not close it. */
  takenOver(deviceId: string, terminalId: string): void {
    this.users.delete(terminalKey(deviceId, terminalId));
  }

  /** Forgets a terminal that was closed on the device. */
  forget(viewer: ConnectedViewer, deviceId: string, terminalId: string): void {
    const terminal = viewer.terminals.get(terminalKey(deviceId, terminalId));
    if (terminal !== undefined) this.release(viewer, terminal);
  }

  /** Closes the terminal on the device, unless another viewer has taken it over. The viewer gets no more output of it. */
  close(viewer: ConnectedViewer, terminal: Terminal): void {
    if (!this.release(viewer, terminal)) return;
    const { deviceId, terminalId, agent } = terminal;
    // A device that was deleted is not reached any more, but its shells still run.
    this.link.sendLatest(deviceId, agent, agentClient.CloseTerminalSession, terminalId);
  }

  /**
   * Ends the use of a terminal that the viewer may not use any more. With another key the device is another machine: the shell runs on the
   * former one.
   */
  private end(viewer: ConnectedViewer, terminal: Terminal, cause: EndCause): void {
    if (cause === 'right') this.close(viewer, terminal);
    else if (this.release(viewer, terminal)) {
      this.link.sendTo(terminal.agent, agentClient.CloseTerminalSession, terminal.terminalId);
    }
  }

  /** Closes the terminals of a viewer that has disconnected. */
  closeAll(viewer: ConnectedViewer): void {
    for (const terminal of viewer.terminals.values()) this.close(viewer, terminal);
  }

  private begin(viewer: ConnectedViewer, deviceId: string, terminalId: string): Terminal {
    const terminal: Terminal = {
      deviceId,
      terminalId,
      agent: undefined,
      standing: {
        principal: viewer.principal,
        device: { id: deviceId, permission: TERMINAL_PERMISSION },
        end: (cause) => this.end(viewer, terminal, cause),
      },
    };
    this.rights.hold(terminal.standing);
    return terminal;
  }

  private closeOldest(viewer: ConnectedViewer): void {
    const oldest = viewer.terminals.values().next();
    if (!oldest.done) this.close(viewer, oldest.value);
  }

  /** Releases a terminal of the viewer. Returns true if the viewer was the one that used it last. */
  private release(viewer: ConnectedViewer, { deviceId, terminalId, standing }: Terminal): boolean {
    const key = terminalKey(deviceId, terminalId);
    this.rights.release(standing);
    viewer.terminals.delete(key);
    this.activities.closed(viewer, deviceId, terminalId);
    if (this.users.get(key) !== viewer) return false;
    this.users.delete(key);
    return true;
  }
}
