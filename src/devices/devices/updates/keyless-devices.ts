import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Settings } from '../../../platform/config/settings.js';

const WARNING =
  'Some devices have no key: anyone who knows the id of one can report in its name. ' +
  'Register them again with a current agent, then set AppOptions:RequireDeviceKeys.';

/** Devices without a stored key, which the first signed update that names them takes over. */
@Injectable()
export class KeylessDevices {
  constructor(
    private readonly settings: Settings,
    private readonly dataSource: DataSource,
  ) {}

  /** One line for the log while such devices are served; null when there are none or all of them are refused. */
  async warning(): Promise<string | null> {
    if (this.settings.appOptions.requireDeviceKeys) return null;
    const found = await this.dataSource.query<unknown[]>(`SELECT 1 FROM devices WHERE public_key = '' LIMIT 1`);
    return found.length > 0 ? WARNING : null;
  }
}
