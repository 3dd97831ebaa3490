import { Injectable } from '@nestjs/common';

import { holdCaller } from '../../access/authentication/principals/hold-caller.js';
import { dataOwnerOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext, TenantContext } from '../../access/authentication/principals/request-context.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import { NamedSettings, settingName, type SettingChanges } from '../../tenants/named-settings/named-settings.js';
import { NamedTexts } from '../../tenants/named-settings/named-texts.js';
import { TenantSettingsService } from '../../tenants/tenant-settings/tenant-settings.service.js';
import { preference } from './known-user-preferences.js';
import type { EffectiveUserPreferencesDto, UserPreferenceResponseDto, UserPreferencesDto } from './user-preference.dto.js';

/** Most preferences of a principal, unknown names included. */
export const MAXIMUM_USER_PREFERENCES = 200;

const PREFERENCES = new NamedSettings<UserPreferencesDto>(preference);
const TEXTS = new NamedTexts({
  table: 'user_preferences',
  ownerColumn: 'principal_id',
  nameColumn: 'name',
  maximum: MAXIMUM_USER_PREFERENCES,
});

/** The editable state of one preference. One that is not set has a state, too. */
export const userPreferenceState = new TaggedState(({ value }: Pick<UserPreferenceResponseDto, 'value'>) => ({ value }), { value: null });

/** The editable state of all preferences at once: every preference that the service knows. */
export const userPreferencesState = new TaggedState((preferences: UserPreferencesDto) => preferences);

/**
 * The preferences of the caller, a user or a service account; the session of a logon token has its own. Changes are not in the change log,
 * because preferences grant nothing.
 */
@Injectable()
export class UserPreferencesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tenantSettings: TenantSettingsService,
  ) {}

  /** Every known preference of the caller. */
  async list(context: RequestContext): Promise<UserPreferencesDto> {
    return PREFERENCES.valuesOf(await TEXTS.all(context.manager, dataOwnerOf(context.principal)));
  }

  /** One preference as it is stored, or null when it is not set. */
  async get(context: RequestContext, name: string): Promise<UserPreferenceResponseDto | null> {
    return TEXTS.one(context.manager, dataOwnerOf(context.principal), settingName(name, 'name'));
  }

  /** Sets one preference; a blank value removes it. 412 when it is in no expected state. */
  async set(context: RequestContext, givenName: string, value: string, expected?: ExpectedTags): Promise<UserPreferenceResponseDto> {
    const name = settingName(givenName, 'name');
    const text = PREFERENCES.textOf(name, value);
    return this.unitOfWork.run(context, async (tx) => {
      const callerId = await holdCaller(tx);
      if (expected !== undefined) {
        await TEXTS.hold(tx.manager, callerId);
        userPreferenceState.require(expected, await TEXTS.one(tx.manager, callerId, name));
      }
      await TEXTS.write(tx.manager, callerId, new Map([[name, text]]));
      return (await TEXTS.one(tx.manager, callerId, name)) ?? { id: null, name, value: null };
    });
  }

  /** Sets several known preferences at once; null restores the default. 412 when they are in no expected state. */
  async change(context: RequestContext, changes: SettingChanges<UserPreferencesDto>, expected?: ExpectedTags): Promise<UserPreferencesDto> {
    const texts = PREFERENCES.textsOf(changes);
    return this.unitOfWork.run(context, async (tx) => {
      const callerId = await holdCaller(tx);
      if (expected !== undefined) {
        await TEXTS.hold(tx.manager, callerId);
        userPreferencesState.require(expected, await this.list(tx));
      }
      await TEXTS.write(tx.manager, callerId, texts);
      return this.list(tx);
    });
  }

  /** The values that apply to the caller in the tenant: the tenant's setting if it is set, or else the caller's preference. */
  async effective(context: TenantContext): Promise<EffectiveUserPreferencesDto> {
    const [{ notifyUserOnSessionStart: enforced }, own] = await Promise.all([this.tenantSettings.list(context), this.list(context)]);
    return {
      notifyUserOnSessionStart: enforced ?? own.notifyUserOnSessionStart,
      isNotifyUserOnSessionStartTenantEnforced: enforced !== null,
    };
  }
}
