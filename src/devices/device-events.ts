import { EventEmitter } from 'node:events';

import { Injectable } from '@nestjs/common';

/** A deleted device, with the hub connection that it had. */
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

/** A device that was registered again. Its former connection must prove itself with the new key. */
export interface RegisteredDevice {
  readonly id: string;
  readonly tenantId: string;
  /** Empty when it was offline or unknown. */
  readonly formerConnectionId: string;
  readonly name: string;
  /** Whether another key than before speaks for the device from now on. */
  readonly hasNewKey: boolean;
}

interface DeviceEventMap {
  deleted: [DeletedDevice];
  registered: [RegisteredDevice];
  changed: [ChangedDevice];
}

/** Tells the rest of the process about changes of devices over HTTP, after the commit. Listeners must not throw. */
@Injectable()
export class DeviceEvents extends EventEmitter<DeviceEventMap> {
  /** Announces that the rows, customers or tags of a tenant's devices were changed. */
  changed(tenantId: string, deviceIds: readonly string[]): void {
    for (const id of deviceIds) this.emit('changed', { id, tenantId });
  }
}
