import { EnumName, namesOf } from '../http/binding/enum-fields.js';
import { Guid, Instant, Int, ListOf, Name, Text } from '../http/binding/fields.js';
import { InstallerKeyType } from './installer-key.entity.js';

const KEY_TYPE = namesOf('InstallerKeyType', InstallerKeyType, {}, [InstallerKeyType.Unknown]);

export class CreateInstallerKeyRequestDto {
  @Guid('') tenantId: string;
  @EnumName('', KEY_TYPE) keyType: InstallerKeyType;
  @Name('', { nullable: true, max: 200 }) friendlyName: string | null;
  @Int('How many registrations a UsageBased key is good for, at least 1; null sets no limit. Keys of other types take null or 0 only.', {
    nullable: true,
    min: 0,
  })
  allowedUses: number | null;
  @Instant('In the future and required for TimeBased; UsageBased keys expire 24 hours after creation, Persistent keys never.', {
    nullable: true,
  })
  expiration: Date | null;
}

export class CreateInstallerKeyResponseDto {
  @Guid('') id: string;
  @Guid('') creatorId: string;
  @EnumName('', KEY_TYPE) keyType: InstallerKeyType;
  @Text('Shown this once.') keySecret: string;
  @Instant('') createdAt: Date;
  @Int('', { nullable: true }) allowedUses: number | null;
  @Instant('', { nullable: true }) expiration: Date | null;
  @Text('', { nullable: true }) friendlyName: string | null;
}

export class InstallerKeyDto {
  @Guid('') id: string;
  @Guid('') creatorId: string;
  @Text('Null once the creator is gone.', { nullable: true }) creatorName: string | null;
  @EnumName('', KEY_TYPE) keyType: InstallerKeyType;
  @Instant('') createdAt: Date;
  @Int('', { nullable: true }) allowedUses: number | null;
  @Instant('', { nullable: true }) expiration: Date | null;
  @Text('', { nullable: true }) friendlyName: string | null;
  @Int('Registrations with the key that are still on record.') usageCount: number;
}

export class InstallerKeysResponseDto {
  @ListOf('', () => InstallerKeyDto) items: InstallerKeyDto[];
}

export class InstallerKeyUsageDto {
  @Guid('') id: string;
  @Guid('') deviceId: string;
  @Instant('') timestamp: Date;
  @Text('', { nullable: true }) remoteIpAddress: string | null;
}

export class InstallerKeyUsagesResponseDto {
  @ListOf('All on record, the latest first.', () => InstallerKeyUsageDto) items: InstallerKeyUsageDto[];
}

export class RenameInstallerKeyRequestDto {
  @Name('', { min: 1, max: 100 }) friendlyName: string;
}
