import { EventEmitter } from 'node:events';

import { Injectable } from '@nestjs/common';

/** A device that is gone, with the hub connection that it had. */
export interface DeletedDevice {
  readonly id: string;
  readonly tenantId: string;
  /** Empty while offline. */
  readonly connectionId: string;
  readonly nodeId: string | null;
}

/** A device whose row was changed by something else than its own reports. */
export interface ChangedDevice {
  readonly id: string;
  readonly tenantId: string;
}

/** A device that was registered anew: whoever spoke for it until now has to prove itself again. */
export interface RegisteredDevice {
  readonly id: string;
  readonly tenantId: string;
  /** Empty when it was offline or unknown. */
  readonly formerConnectionId: string;
}

interface DeviceEventMap {
  deleted: [DeletedDevice];
  registered: [RegisteredDevice];
  changed: [ChangedDevice];
}

/** Tells the rest of the process, after the commit, what happened to devices over HTTP. Listeners must not throw. */
@Injectable()
export class DeviceEvents extends EventEmitter<DeviceEventMap> {
  /** Tells of devices of a tenant whose row, customer or tags were changed. */
  changed(tenantId: string, deviceIds: readonly string[]): void {
    for (const id of deviceIds) this.emit('changed', { id, tenantId });
  }
}
