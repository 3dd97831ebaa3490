import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { NamedSettings, settingName, type SettingChanges } from '../named-settings/named-settings.js';
import { NamedTexts, type NamedTextChange } from '../named-settings/named-texts.js';
import { TenantsService } from '../tenants/tenants.service.js';
import { setting } from './known-tenant-settings.js';
import type { TenantSettingResponseDto, TenantSettingsDto } from './tenant-setting.dto.js';

type Tx = InTransaction<TenantContext>;

/** Maximum number of settings of a tenant, unknown names included. */
export const MAXIMUM_TENANT_SETTINGS = 200;

const SETTINGS = new NamedSettings<TenantSettingsDto>(setting);
const TEXTS = new NamedTexts({
  table: 'tenant_settings',
  ownerColumn: 'tenant_id',
  nameColumn: 'name',
  maximum: MAXIMUM_TENANT_SETTINGS,
});

/** The part of one setting that people can change. One that is not set has a state, too. */
export const tenantSettingState = new TaggedState(({ value }: Pick<TenantSettingResponseDto, 'value'>) => ({ value }), { value: null });

/** The settings that people can change at once: every setting that the service knows. */
export const tenantSettingsState = new TaggedState((settings: TenantSettingsDto) => settings);

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

  /** Sets one setting; a blank value removes it. 412 when it is in no expected state. */
  async set(context: TenantContext, givenName: string, value: string, expected?: ExpectedTags): Promise<TenantSettingResponseDto> {
    const name = settingName(givenName, 'name');
    return this.unitOfWork.run(context, async (tx) => {
      await this.writeOne(tx, name, SETTINGS.textOf(name, value), expected);
      return (await TEXTS.one(tx.manager, tx.tenantId, name)) ?? { id: null, name, value: null };
    });
  }

  /** Sets several known settings at once; null removes one. 412 when they are in no expected state. */
  async change(context: TenantContext, changes: SettingChanges<TenantSettingsDto>, expected?: ExpectedTags): Promise<TenantSettingsDto> {
    const texts = SETTINGS.textsOf(changes);
    return this.unitOfWork.run(context, async (tx) => {
      await this.write(tx, texts, expected === undefined ? null : async () => tenantSettingsState.require(expected, await this.list(tx)));
      return this.list(tx);
    });
  }

  /** Removes a setting. Does nothing when it is not set. 412 when it is in no expected state. */
  async remove(context: TenantContext, givenName: string, expected?: ExpectedTags): Promise<void> {
    const name = settingName(givenName, 'settingName');
    await this.unitOfWork.run(context, (tx) => this.writeOne(tx, name, null, expected));
  }

  private async writeOne(tx: Tx, name: string, text: string | null, expected: ExpectedTags | undefined): Promise<void> {
    const check = async (): Promise<void> => tenantSettingState.require(expected, await TEXTS.one(tx.manager, tx.tenantId, name));
    await this.write(tx, new Map([[name, text]]), expected === undefined ? null : check);
  }

  /** Writes texts of the tenant. The check runs once nobody else can write any. */
  private async write(tx: Tx, texts: ReadonlyMap<string, string | null>, check: (() => Promise<void>) | null): Promise<void> {
    await this.tenants.hold(tx, tx.tenantId);
    if (check !== null) {
      await TEXTS.hold(tx.manager, tx.tenantId);
      await check();
    }
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
