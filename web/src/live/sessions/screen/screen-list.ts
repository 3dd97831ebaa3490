import { valueForUser } from '../../../state/read-user-data.js';

/** A screen as the tab remembers it over a reload. */
export interface RememberedScreen {
  readonly screenId: string;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly port: number;
}

const isGuid = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f-]{36}$/i.test(value);

function isScreen(value: unknown): value is RememberedScreen {
  if (typeof value !== 'object' || value === null) return false;
  const { screenId, deviceId, deviceName, port } = value as Partial<Record<keyof RememberedScreen, unknown>>;
  return isGuid(screenId) && isGuid(deviceId) && typeof deviceName === 'string' && Number.isInteger(port);
}

/** The remembered screens of this user; none of another user, and none from a text that is not ours. */
export function parseScreens(text: string | null, userId: string, most: number): RememberedScreen[] {
  const value = valueForUser(text, userId);
  return Array.isArray(value) ? value.filter(isScreen).slice(0, most) : [];
}
