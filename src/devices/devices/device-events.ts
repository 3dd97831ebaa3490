import { EventEmitter } from 'node:events';

import { Injectable } from '@nestjs/common';

import type { KeyChange } from './key-approvals/key-change.js';

/** A deleted device, with the hub connection that it had. */
interface DeletedDevice {
  readonly id: string;
  readonly tenantId: string;
  /** Empty while offline. */
  readonly connectionId: string;
  readonly nodeId: string | null;
}

/** A device whose row was changed by something else than its own reports. */
interface ChangedDevice {
  readonly id: string;
  readonly tenantId: string;
}

/** A device that was registered, new or again. Its former connection must prove itself again. */
interface RegisteredDevice {
  readonly id: string;
  readonly tenantId: string;
  /** Empty when it was offline or unknown, and when it stays connected. */
  readonly formerConnectionId: string;
  readonly name: string;
  readonly keyChange: KeyChange;
}

/** A device whose new key waited, and was approved or refused. */
export interface DecidedKey {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** True if the key that waited is in force now; otherwise the one is that was in force beside it. */
  readonly isApproved: boolean;
  /** The key in force now. */
  readonly publicKey: string;
}

interface DeviceEventMap {
  deleted: [DeletedDevice];
  registered: [RegisteredDevice];
  keyDecided: [DecidedKey];
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
