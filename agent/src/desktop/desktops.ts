import { DesktopSessionType, type DesktopSession } from '#libs/contracts';
import { RefusedError } from '../failures.js';
import { readDisplays, type Display } from './displays.js';

const NO_DESKTOP = 'The device has no desktop: no X server runs on it.';

/** The desktops of this device. Viewers address one by the process id of its X server. */
export class Desktops {
  constructor(private readonly read: () => Promise<Display[]> = readDisplays) {}

  async all(): Promise<Display[]> {
    return this.read();
  }

  async sessions(): Promise<DesktopSession[]> {
    return (await this.read()).map(sessionOf);
  }

  /** The display that the process serves. Throws RefusedError when there is none. */
  async at(processId: number): Promise<Display> {
    const displays = await this.read();
    const display = displays.find((candidate) => candidate.processId === processId);
    if (display !== undefined) return display;
    throw new RefusedError(displays.length === 0 ? NO_DESKTOP : `Process ${processId} of the device serves no desktop.`);
  }
}

function sessionOf({ number, processId, user }: Display): DesktopSession {
  return {
    // Pictures can be taken, but this agent neither shows nor controls a desktop.
    areRemoteControlPermissionsGranted: false,
    desktopName: `:${number}`,
    name: `X11 display :${number}`,
    processId,
    systemSessionId: number,
    type: DesktopSessionType.Console,
    username: user?.name ?? '',
  };
}
