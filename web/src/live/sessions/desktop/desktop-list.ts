import { valueForUser } from '../../../state/read-user-data.js';

/** A desktop of a device, as a session shows it. */
export interface ShownDesktop {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly processId: number;
  readonly systemSessionId: number;
  readonly type: 'Console' | 'Rdp';
  /** Name of the user who is signed in there; empty if nobody is. */
  readonly username: string;
  /** Name of the session. */
  readonly name: string;
  /** True if the person at the device is asked first. */
  readonly asksFirst: boolean;
}

/** A desktop as the tab remembers it over a reload. */
export interface RememberedDesktop extends ShownDesktop {
  readonly desktopId: string;
  /** The display that is shown; left out for the primary one. */
  readonly displayId?: string;
}

const TYPES = {
  desktopId: 'string',
  deviceId: 'string',
  deviceName: 'string',
  processId: 'number',
  systemSessionId: 'number',
  username: 'string',
  name: 'string',
  asksFirst: 'boolean',
} as const;

function isDesktop(value: unknown): value is RememberedDesktop {
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Readonly<Record<string, unknown>>;
  return (
    Object.entries(TYPES).every(([name, type]) => typeof members[name] === type) &&
    ['Console', 'Rdp'].includes(String(members.type)) &&
    ['string', 'undefined'].includes(typeof members.displayId)
  );
}

/** The remembered desktops of this user; none of another user, and none from a text that is not ours. */
export function parseDesktops(text: string | null, userId: string, most: number): RememberedDesktop[] {
  const value = valueForUser(text, userId);
  return Array.isArray(value) ? value.filter(isDesktop).slice(0, most) : [];
}
