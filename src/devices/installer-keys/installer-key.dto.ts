import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Guid, Instant, Int, ListOf, Name, Text } from '../../platform/http/binding/fields.js';
import { InstallerKeyType } from './installer-key.entity.js';

const KEY_TYPE = namesOf(
  'InstallerKeyType',
  InstallerKeyType,
  {
    UsageBased: 'for a number of registrations within 24 hours.',
    TimeBased: 'until a time that the creator chooses.',
    Persistent: 'until it is deleted.',
  },
  [InstallerKeyType.Unknown],
);

/** Requested properties of a key; the whole body of the internal route. */
export class InstallerKeyRequestDto {
  @EnumName('Type of the key, which sets its validity.', KEY_TYPE) keyType: InstallerKeyType;
  @Name('Name of the key for people.', { nullable: true, max: 200, example: 'Front office rollout' }) friendlyName: string | null;
  @Int('Number of devices that a `UsageBased` key can register; null for no limit. Keys of other types take null or 0 only.', {
    nullable: true,
    min: 0,
    example: 25,
  })
  allowedUses: number | null;
  @Instant(
    'Expiry of a `TimeBased` key, which requires one in the future. `UsageBased` keys expire 24 hours after their creation, `Persistent` keys never.',
    {
      nullable: true,
    },
  )
  expiration: Date | null;
}

export class CreateInstallerKeyRequestDto extends InstallerKeyRequestDto {
  @Guid('Id of the tenant in which devices are registered.') tenantId: string;
}

export class CreateInstallerKeyResponseDto {
  @Guid('Id of the key.') id: string;
  @Guid('Id of the user or service account that created the key.') creatorId: string;
  @EnumName('Type of the key, which sets its validity.', KEY_TYPE) keyType: InstallerKeyType;
  @Text('Secret of the key. It is shown only now.', { example: 'c2VjcmV0LW9mLXRoZS1pbnN0YWxsZXIta2V5' }) keySecret: string;
  @Instant('Creation time of the key.') createdAt: Date;
  @Int('Number of devices that the key can register; null for no limit.', { nullable: true, example: 25 }) allowedUses: number | null;
  @Instant('Expiry of the key; null if it never expires.', { nullable: true }) expiration: Date | null;
  @Text('Name of the key for people.', { nullable: true, example: 'Front office rollout' }) friendlyName: string | null;
}

export class InstallerKeyDto {
  @Guid('Id of the key.') id: string;
  @Guid('Id of the user or service account that created the key.') creatorId: string;
  @Text('Name of the creator; null once the creator is gone.', { nullable: true, example: 'anna@contoso.example' }) creatorName:
    string | null;
  @EnumName('Type of the key, which sets its validity.', KEY_TYPE) keyType: InstallerKeyType;
  @Instant('Creation time of the key.') createdAt: Date;
  @Int('Number of devices that the key can register; null for no limit.', { nullable: true, example: 25 }) allowedUses: number | null;
  @Instant('Expiry of the key; null if it never expires.', { nullable: true }) expiration: Date | null;
  @Text('Name of the key for people.', { nullable: true, example: 'Front office rollout' }) friendlyName: string | null;
  @Int('Number of registrations with the key that are still on record.', { example: 7 }) usageCount: number;
}

export class InstallerKeysResponseDto {
  @ListOf('The keys, newest first.', () => InstallerKeyDto) items: InstallerKeyDto[];
}

export class InstallerKeyUsageDto {
  @Guid('Id of the entry.') id: string;
  @Guid('Id of the device that was registered.') deviceId: string;
  @Instant('Time of the registration.') timestamp: Date;
  @Text('Address that the agent registered from.', { nullable: true, example: '203.0.113.17' }) remoteIpAddress: string | null;
}

export class InstallerKeyUsagesResponseDto {
  @ListOf('The registrations, the latest first.', () => InstallerKeyUsageDto) items: InstallerKeyUsageDto[];
}

export class RenameInstallerKeyRequestDto {
  @Name('Name of the key for people.', { min: 1, max: 100, example: 'Front office rollout' }) friendlyName: string;
}

/** The body of the internal route. */
export class RenameNamedInstallerKeyRequestDto extends RenameInstallerKeyRequestDto {
  @Guid('Id of the installer key.') id: string;
}
