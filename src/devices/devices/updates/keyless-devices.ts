import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Settings } from '../../../platform/config/settings.js';

const WARNING =
  'Some devices have no key: anyone who knows the id of one can report in its name. ' +
  'Register them again with a current agent, then set AppOptions:RequireDeviceKeys.';

/** Most devices that are counted. */
const MAXIMUM_COUNTED = 10_000;

/** Number of devices without a stored key that are served, up to a limit. None are while keys are required. */
export async function countServedKeyless(
  { appOptions }: Settings,
  database: Pick<DataSource, 'query'>,
  limit: number = MAXIMUM_COUNTED,
): Promise<number> {
  if (appOptions.requireDeviceKeys) return 0;
  return (await database.query<unknown[]>(`SELECT 1 FROM devices WHERE public_key = '' LIMIT $1`, [limit])).length;
}

/** Devices without a stored key, which the first signed update that names them takes over. */
@Injectable()
export class KeylessDevices {
  constructor(
    private readonly settings: Settings,
    private readonly dataSource: DataSource,
  ) {}

  /** One line for the log while such devices are served; null when there are none or all of them are refused. */
  async warning(): Promise<string | null> {
    return (await countServedKeyless(this.settings, this.dataSource, 1)) > 0 ? WARNING : null;
  }
}
