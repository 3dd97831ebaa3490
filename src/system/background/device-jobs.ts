import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { DeviceActivities } from '../../devices/device-activity/device-activities.js';
import { DeletedDeviceRetention } from '../../devices/devices/deleted-device-retention.js';
import { OfflineDevices } from '../../devices/devices/offline-devices.js';
import { InstallerKeysService } from '../../devices/installer-keys/installer-keys.service.js';
import { BackgroundJob } from './background-job.js';
import { DAY_MS, HOUR_MS, SECOND_MS } from './periods.js';

/** The jobs on devices, their activities and the keys that they are installed with. */
@Injectable()
export class DeviceJobs {
  readonly all: readonly BackgroundJob[];

  constructor(
    dataSource: DataSource,
    installerKeys: InstallerKeysService,
    activities: DeviceActivities,
    deletedDevices: DeletedDeviceRetention,
    offlineDevices: OfflineDevices,
  ) {
    this.all = [
      new BackgroundJob('installer key usages', 8 * HOUR_MS, (signal) => installerKeys.purgeUsages(dataSource.manager, signal)),
      new BackgroundJob('device activities', DAY_MS, (signal) => activities.cleanUp(signal)),
      new BackgroundJob('deleted devices', DAY_MS, (signal) => deletedDevices.forgetOld(signal)),
      new BackgroundJob('offline devices', 10 * SECOND_MS, (signal) => offlineDevices.tell(signal)),
    ];
  }
}
