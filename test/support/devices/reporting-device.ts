import { randomUUID } from 'node:crypto';

import { agentHub, type DeviceUpdateRequestDto } from '#libs/contracts';

import { HubLink } from '../../../agent/src/connection/hub-link.js';
import { DeviceKey } from '../../../agent/src/device-key.js';
import { SigningClock, signUpdate } from '../../../agent/src/heartbeat.js';
import { readInventory } from '../../../agent/src/inventory/device-inventory.js';
import type { Log } from '../../../agent/src/logs/log.js';
import { registerDevice } from '../../../agent/src/registration.js';
import type { ApiClient } from '../application/api-client.js';

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A tenant and one of its installer keys, which any number of devices may use. */
export interface Enrolment {
  readonly tenantId: string;
  readonly keyId: string;
  readonly keySecret: string;
}

/** Creates a tenant and a key for its devices. */
export async function enrol(client: ApiClient): Promise<Enrolment> {
  const tenant = await client.post('/api/v1/tenants', { body: { name: `Tenant ${randomUUID()}` } });
  const { tenantId } = tenant.as<{ tenantId: string }>();
  const key = await client.post('/api/v1/installer-keys', { body: { tenantId, keyType: 'Persistent' } });
  const { id, keySecret } = key.as<{ id: string; keySecret: string }>();
  return { tenantId, keyId: id, keySecret };
}

let inventory: Promise<DeviceUpdateRequestDto> | undefined;

/** A device that a test controls, made of the reference agent's parts. It reports when told to, and answers no calls. */
export class ReportingDevice {
  private link: HubLink | undefined;
  private readonly clock = new SigningClock();

  private constructor(
    private readonly report: DeviceUpdateRequestDto,
    private readonly key: DeviceKey,
  ) {}

  /** Registers a new device. Throws unless the server confirms it. */
  static async register(serverUri: string, { tenantId, keyId, keySecret }: Enrolment, id: string = randomUUID()): Promise<ReportingDevice> {
    // Reading the inventory takes a while, and all these devices have that of this machine.
    inventory ??= readInventory({ deviceId: randomUUID(), tenantId });
    const key = await DeviceKey.generate();
    const device = { ...(await inventory), tenantId, id };
    const credentials = { installerKeyId: keyId, installerKeySecret: keySecret };
    await registerDevice(serverUri, { device, ...credentials, tagIds: null, publicKey: key.publicKey });
    return new ReportingDevice(device, key);
  }

  get id(): string {
    return this.report.id;
  }

  /** Connects to the agent hub. `onClose` is called when the connection has ended. */
  async connect(serverUri: string, onClose: () => void = () => undefined): Promise<void> {
    this.link = new HubLink(serverUri, SILENT);
    this.link.onClose(onClose);
    await this.link.connect();
  }

  /** Reports the device under a name. Throws unless the server accepts the report. */
  async reportAs(name: string): Promise<void> {
    if (this.link === undefined) throw new Error('The device is not connected.');
    const signed = await signUpdate({ ...this.report, name }, this.key, this.clock.next());
    const { isSuccess, reason } = await this.link.invoke(agentHub.UpdateDeviceSigned, [signed]);
    if (!isSuccess) throw new Error(`The report was refused: ${reason ?? 'without a reason'}`);
  }

  async disconnect(): Promise<void> {
    await this.link?.close();
  }
}
