import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/unit-of-work.js';
import { NamedSettings, settingName, type SettingChanges } from '../named-settings/named-settings.js';
import { NamedTexts, type NamedTextChange } from '../named-settings/named-texts.js';
import { TenantsService } from '../tenants/tenants.service.js';
import { setting } from './known-tenant-settings.js';
import type { TenantSettingResponseDto, TenantSettingsDto } from './tenant-setting.dto.js';

/** How many settings a tenant may have, unknown names included. */
export const MAXIMUM_TENANT_SETTINGS = 200;

const SETTINGS = new NamedSettings<TenantSettingsDto>(setting);
const TEXTS = new NamedTexts({
  table: 'tenant_settings',
  ownerColumn: 'tenant_id',
  nameColumn: 'name',
  maximum: MAXIMUM_TENANT_SETTINGS,
});

/** The settings of tenants: the known ones, and others that clients store. */
@Injectable()
export class TenantSettingsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tenants: TenantsService,
    private readonly changeLog: ChangeLog,
  ) {}

  /** Every known setting; null when it is not set. */
  async list(context: TenantContext): Promise<TenantSettingsDto> {
    return SETTINGS.valuesOf(await TEXTS.all(context.manager, context.tenantId));
  }

  /** One setting as it is stored, or null when it is not set. */
  async get(context: TenantContext, name: string): Promise<TenantSettingResponseDto | null> {
    const text = await TEXTS.one(context.manager, context.tenantId, settingName(name, 'settingName'));
    if (text === null) await this.tenants.get(context, context.tenantId);
    return text;
  }

  /** Sets one setting; a blank value removes it. */
  async set(context: TenantContext, givenName: string, value: string): Promise<TenantSettingResponseDto> {
    const name = settingName(givenName, 'name');
    return this.unitOfWork.run(context, async (tx) => {
      await this.write(tx, new Map([[name, SETTINGS.textOf(name, value)]]));
      return (await TEXTS.one(tx.manager, tx.tenantId, name)) ?? { id: null, name, value: null };
    });
  }

  /** Sets several known settings at once; null removes one. */
  async change(context: TenantContext, changes: SettingChanges<TenantSettingsDto>): Promise<TenantSettingsDto> {
    const texts = SETTINGS.textsOf(changes);
    return this.unitOfWork.run(context, async (tx) => {
      await this.write(tx, texts);
      return this.list(tx);
    });
  }

  /** Removes a setting. Does nothing when it is not set. */
  async remove(context: TenantContext, name: string): Promise<void> {
    const texts = new Map([[settingName(name, 'settingName'), null]]);
    await this.unitOfWork.run(context, (tx) => this.write(tx, texts));
  }

  private async write(tx: InTransaction<TenantContext>, texts: ReadonlyMap<string, string | null>): Promise<void> {
    await this.tenants.hold(tx, tx.tenantId);
    const changes = await TEXTS.write(tx.manager, tx.tenantId, texts);
    await this.changeLog.write(
      tx,
      ...changes.map((change) => ({
        action: actionOf(change),
        target: ChangeTarget.TenantSetting,
        targetId: change.id,
        tenantId: tx.tenantId,
        ...(change.before === null ? {} : { before: { name: change.name, value: change.before } }),
        ...(change.after === null ? {} : { after: { name: change.name, value: change.after } }),
      })),
    );
  }
}

function actionOf({ before, after }: NamedTextChange): string {
  if (after === null) return 'tenant-setting-deleted';
  return before === null ? 'tenant-setting-created' : 'tenant-setting-updated';
}
