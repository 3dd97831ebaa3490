import { randomBytes } from 'node:crypto';

import type { DeepPartial } from 'typeorm';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { PermissionAssignment } from '../../src/access/permission-assignments/permission-assignment.entity.js';
import type { Customer } from '../../src/devices/customers/customer.entity.js';
import type { DeviceGroup } from '../../src/devices/device-groups/device-group.entity.js';
import { Device } from '../../src/devices/devices/device.entity.js';
import { fingerprintOf } from '../../src/devices/devices/key-approvals/key-fingerprint.js';
import { DeviceActivityKind } from '../../src/devices/device-activity/device-activity-kinds.js';
import { DeviceActivity } from '../../src/devices/device-activity/device-activity.entity.js';
import { DeviceField } from '../../src/devices/inventory/device-field.entity.js';
import { DeviceFieldType } from '../../src/devices/inventory/field-value.js';
import { InstallerKey, InstallerKeyCreatorKind, InstallerKeyType } from '../../src/devices/installer-keys/installer-key.entity.js';
import { DeviceTag, Tag, TagType } from '../../src/devices/tags/tag.entity.js';
import { Invite } from '../../src/people/invites/invite.entity.js';
import { PersonalAccessToken } from '../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { ServiceAccount, ServiceAccountCredential, ServiceAccountKind } from '../../src/people/service-accounts/service-account.entity.js';
import type { UserGroup } from '../../src/people/user-groups/user-group.entity.js';
import { UserStorageItem } from '../../src/people/user-storage/user-storage-item.entity.js';
import type { User } from '../../src/people/users/user.entity.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import { hashSecret, newSecret } from '../../src/platform/common/identifiers/secret.js';
import { TenantSetting } from '../../src/tenants/tenant-settings/tenant-setting.entity.js';
import { Webhook, WebhookDelivery } from '../../src/system/webhooks/webhook.entity.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import type { TestApp } from '../support/application/app.js';
import {
  addToUserGroup,
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createTenant,
  createUser,
  createUserGroup,
  grant,
  holder,
} from '../support/fixtures/factories.js';

/** The owner of objects that only their owner can access. */
export interface Owner {
  readonly id: string;
  readonly creatorKind: InstallerKeyCreatorKind;
}

/** Creates the objects of calls, in one tenant and, where it matters, for one caller. */
export class Scene {
  constructor(
    readonly server: TestApp,
    readonly tenant: Tenant,
    readonly caller: Owner | null = null,
  ) {}

  /** A device that belongs to a customer and to a group. */
  async device(): Promise<Device> {
    return (await this.groupedDevice()).device;
  }

  /** A device that belongs to a customer and to the group. */
  async groupedDevice(): Promise<{ readonly device: Device; readonly group: DeviceGroup }> {
    const [customer, group] = [await this.customer(), await this.deviceGroup()];
    const device = await createDevice(this.server, { tenantId: this.tenant.id, customerId: customer.id, groups: [group] });
    return { device, group };
  }

  /** A device whose new key waits for approval, and the fingerprint of that key. */
  async deviceWithPendingKey(): Promise<{ readonly device: Device; readonly fingerprint: string }> {
    const device = await this.device();
    const [publicKey, waitingPublicKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    const pending = { publicKey, waitingPublicKey, keyPendingSince: new Date() };
    await this.server.dataSource.manager.update(Device, { id: device.id }, pending);
    return { device, fingerprint: fingerprintOf(waitingPublicKey) ?? '' };
  }

  customer(): Promise<Customer> {
    return createCustomer(this.server, { tenantId: this.tenant.id });
  }

  deviceGroup(): Promise<DeviceGroup> {
    return createDeviceGroup(this.server, { tenantId: this.tenant.id });
  }

  user(): Promise<User> {
    return createUser(this.server, { tenantId: this.tenant.id });
  }

  userGroup(): Promise<UserGroup> {
    return createUserGroup(this.server, { tenantId: this.tenant.id });
  }

  /** A user group with one member. */
  async userGroupWithMember(): Promise<{ readonly group: UserGroup; readonly member: User }> {
    const [group, member] = [await this.userGroup(), await this.user()];
    await addToUserGroup(this.server, group, member);
    return { group, member };
  }

  anotherTenant(): Promise<Tenant> {
    return createTenant(this.server);
  }

  /** A permission assignment of a user. */
  async assignment(): Promise<PermissionAssignment> {
    const principal = holder.user(await this.user());
    return grant(this.server, { principal, permission: Permission.TenantTagsWrite, scope: at.tenant(this.tenant) });
  }

  tag(): Promise<Tag> {
    return this.insert(Tag, { id: newGuid(), tenantId: this.tenant.id, name: newGuid(), type: TagType.Permission });
  }

  /** A field that the tenant has defined for its devices. */
  deviceField(): Promise<DeviceField> {
    const [type, isListed, position, choices] = [DeviceFieldType.Text, true, 0, []];
    return this.insert(DeviceField, { id: newGuid(), tenantId: this.tenant.id, name: newGuid(), type, isListed, position, choices });
  }

  /** Makes room for another field: a tenant can have few. The newest stay, because other calls may use them. */
  async roomForDeviceField(): Promise<void> {
    await this.server.dataSource.query(
      `DELETE FROM device_fields WHERE tenant_id = $1 AND id NOT IN (
         SELECT id FROM device_fields WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT 15)`,
      [this.tenant.id],
    );
  }

  /** A webhook whose receiver the service refuses to connect to. */
  webhook(): Promise<Webhook> {
    const values = { url: 'https://127.0.0.1:1/hook', kinds: ['session.ended'], secretVersion: 1, lastNumber: '0' };
    return this.insert(Webhook, { id: newGuid(), tenantId: this.tenant.id, ...values });
  }

  /** A delivery that is over. */
  async webhookDelivery(): Promise<WebhookDelivery> {
    const { id: webhookId } = await this.webhook();
    return this.insert(WebhookDelivery, { id: newGuid(), webhookId, messageId: newGuid(), kind: 'test', body: '{}', nextAttemptAt: null });
  }

  /** Makes room for another webhook: a tenant can have few. The newest stay, because other calls may use them. */
  async roomForWebhook(): Promise<void> {
    await this.server.dataSource.query(
      `DELETE FROM webhooks WHERE tenant_id = $1 AND id NOT IN (
         SELECT id FROM webhooks WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT 10)`,
      [this.tenant.id],
    );
  }

  /** A remote control session that runs on a device, as its audit record says. */
  async runningSession(): Promise<DeviceActivity> {
    const { id: deviceId } = await this.device();
    const who = { principalKind: 'User', principalId: newGuid(), principalName: 'Anna', correlationId: newGuid(), nodeId: newGuid() };
    const what = { kind: DeviceActivityKind.RemoteControl, tenantId: this.tenant.id, deviceId, subject: newGuid() };
    return this.insert(DeviceActivity, { id: newGuid(), ...who, ...what, startedAt: this.server.clock.now() });
  }

  /** A remote control session of the caller on a device, or the recording of one. */
  async ownSession(kind = DeviceActivityKind.RemoteControl): Promise<DeviceActivity> {
    const { id: deviceId } = await this.device();
    const { id: principalId } = this.caller ?? (await this.somebody());
    const who = { principalKind: 'User', principalId, principalName: 'Anna', correlationId: newGuid(), nodeId: newGuid() };
    const what = { kind, tenantId: this.tenant.id, deviceId, subject: newGuid() };
    return this.insert(DeviceActivity, { id: newGuid(), ...who, ...what, startedAt: this.server.clock.now() });
  }

  async taggedDevice(): Promise<{ readonly device: Device; readonly tag: Tag }> {
    const [device, tag] = [await this.device(), await this.tag()];
    await this.insert(DeviceTag, { deviceId: device.id, tagId: tag.id });
    return { device, tag };
  }

  /** Sets a setting of the tenant, also one that is set already. */
  async tenantSetting(name: string, value: string): Promise<void> {
    const row = { id: newGuid(), tenantId: this.tenant.id, name, value };
    await this.server.dataSource.manager.upsert(TenantSetting, row, ['tenantId', 'name']);
  }

  /** An installer key that the caller created. */
  async installerKey(): Promise<InstallerKey> {
    const { id: creatorId, creatorKind } = this.caller ?? (await this.somebody());
    return this.insert(InstallerKey, {
      id: newGuid(),
      tenantId: this.tenant.id,
      creatorId,
      creatorKind,
      keyType: InstallerKeyType.Persistent,
      hashedSecret: hashSecret(newSecret()),
    });
  }

  async invite(): Promise<Invite> {
    const { id: userId, userName } = await this.user();
    return this.insert(Invite, {
      id: newGuid(),
      tenantId: this.tenant.id,
      inviteeEmail: userName,
      userId,
      hashedActivationCode: hashSecret(newGuid()),
    });
  }

  async suspendedUser(): Promise<User> {
    return createUser(this.server, { tenantId: this.tenant.id, suspendedAt: new Date() });
  }

  /** A token of the caller, if the caller is a user. */
  async ownPersonalAccessToken(): Promise<PersonalAccessToken> {
    const { id } = this.caller?.creatorKind === InstallerKeyCreatorKind.User ? this.caller : await this.user();
    return this.personalAccessToken(id);
  }

  personalAccessToken(userId: string): Promise<PersonalAccessToken> {
    return this.insert(PersonalAccessToken, { id: newGuid(), userId, name: newGuid(), hashedSecret: hashSecret(newSecret()) });
  }

  serviceAccount(tenantId: string | null): Promise<ServiceAccount> {
    const kind = tenantId === null ? ServiceAccountKind.Server : ServiceAccountKind.Tenant;
    return this.insert(ServiceAccount, { id: newGuid(), kind, tenantId, name: newGuid() });
  }

  credential(serviceAccountId: string, revokedAt: Date | null): Promise<ServiceAccountCredential> {
    return this.insert(ServiceAccountCredential, {
      id: newGuid(),
      serviceAccountId,
      name: 'Credential',
      hashedSecret: hashSecret(newSecret()),
      revokedAt,
    });
  }

  /** A value that the caller stored. */
  async storageItem(): Promise<UserStorageItem> {
    const { id: principalId } = this.caller ?? (await this.somebody());
    return this.insert(UserStorageItem, { id: newGuid(), principalId, key: `key-${newGuid()}`, value: 'x' });
  }

  private async somebody(): Promise<Owner> {
    return { id: (await this.user()).id, creatorKind: InstallerKeyCreatorKind.User };
  }

  private async insert<T extends object>(entity: new () => T, values: DeepPartial<NoInfer<T>>): Promise<T> {
    const row = this.server.dataSource.manager.create(entity, values as DeepPartial<T>);
    await this.server.dataSource.manager.insert(entity, row);
    return row;
  }
}
