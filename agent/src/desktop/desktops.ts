import { DesktopSessionType, type DesktopSession } from '#libs/contracts';
import { RefusedError } from '../failures.js';
import { readDisplays, type Display } from './displays.js';

const X11_ONLY = 'this agent shows and controls desktops of X11 only';
const NO_DESKTOP = 'The device has no desktop: no X server runs on it.';

/** Systems whose desktops this agent cannot show. */
const OTHER_SYSTEMS: Readonly<Record<string, string>> = { win32: 'Windows', darwin: 'macOS' };

/** The desktops of this device. Viewers address one by the process id of its X server. */
export class Desktops {
  constructor(private readonly read: () => Promise<Display[]> = readDisplays) {}

  async all(): Promise<Display[]> {
    return this.read();
  }

  async sessions(): Promise<DesktopSession[]> {
    return (await this.read()).map(sessionOf);
  }

  /** The display that the process serves, if it can be shown and controlled. Throws RefusedError when it cannot. */
  async controllable(processId: number): Promise<Display> {
    const other = OTHER_SYSTEMS[process.platform];
    if (other !== undefined) throw new RefusedError(`The device runs ${other}, and ${X11_ONLY}.`);
    const display = await this.at(processId);
    if (display.isWithinWayland) throw new RefusedError(`Display :${display.number} belongs to a Wayland desktop, and ${X11_ONLY}.`);
    return display;
  }

  /** The display that the process serves. Throws RefusedError when there is none. */
  async at(processId: number): Promise<Display> {
    const displays = await this.read();
    const display = displays.find((candidate) => candidate.processId === processId);
    if (display !== undefined) return display;
    throw new RefusedError(displays.length === 0 ? NO_DESKTOP : `Process ${processId} of the device serves no desktop.`);
  }
}

function sessionOf({ number, processId, user, isWithinWayland }: Display): DesktopSession {
  return {
    areRemoteControlPermissionsGranted: !isWithinWayland,
    desktopName: `:${number}`,
    name: isWithinWayland ? `Wayland desktop with display :${number} (${X11_ONLY})` : `X11 display :${number}`,
    processId,
    systemSessionId: number,
    type: DesktopSessionType.Console,
    username: user?.name ?? '',
  };
}
