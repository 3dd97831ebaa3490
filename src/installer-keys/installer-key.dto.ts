import { EnumName, Guid, Instant, Int, ListOf, Text } from '../http/binding/fields.js';
import { LIST_LIMIT } from '../common/list-limit.js';
import { InstallerKeyType } from './installer-key.entity.js';

const KEY_TYPE = { name: 'InstallerKeyType', except: [InstallerKeyType.Unknown] } as const;

export class CreateInstallerKeyRequestDto {
  @Guid() tenantId: string;
  @EnumName(InstallerKeyType, KEY_TYPE) keyType: InstallerKeyType;
  @Text({ nullable: true, max: 200 }) friendlyName: string | null;
  @Int({ nullable: true, min: 0, description: 'Registrations that a UsageBased key is good for, at least 1; null does not count them.' })
  allowedUses: number | null;
  @Instant({
    nullable: true,
    description: 'In the future and required for TimeBased; UsageBased keys expire 24 hours after creation, Persistent keys never.',
  })
  expiration: Date | null;
}

export class CreateInstallerKeyResponseDto {
  @Guid() id: string;
  @Guid() creatorId: string;
  @EnumName(InstallerKeyType, KEY_TYPE) keyType: InstallerKeyType;
  @Text({ description: 'Shown this once.' }) keySecret: string;
  @Instant() createdAt: Date;
  @Int({ nullable: true }) allowedUses: number | null;
  @Instant({ nullable: true }) expiration: Date | null;
  @Text({ nullable: true }) friendlyName: string | null;
}

export class InstallerKeyDto {
  @Guid() id: string;
  @Guid() creatorId: string;
  @Text({ nullable: true, description: 'Null once the creator is gone.' }) creatorName: string | null;
  @EnumName(InstallerKeyType, KEY_TYPE) keyType: InstallerKeyType;
  @Instant() createdAt: Date;
  @Int({ nullable: true }) allowedUses: number | null;
  @Instant({ nullable: true }) expiration: Date | null;
  @Text({ nullable: true }) friendlyName: string | null;
  @Int({ description: 'Registrations with the key that are still on record.' }) usageCount: number;
}

export class InstallerKeysResponseDto {
  @ListOf(() => InstallerKeyDto) items: InstallerKeyDto[];
}

export class InstallerKeyUsageDto {
  @Guid() id: string;
  @Guid() deviceId: string;
  @Instant() timestamp: Date;
  @Text({ nullable: true }) remoteIpAddress: string | null;
}

export class InstallerKeyUsagesResponseDto {
  @ListOf(() => InstallerKeyUsageDto, { description: `The latest first, at most ${LIST_LIMIT}.` }) items: InstallerKeyUsageDto[];
}

export class RenameInstallerKeyRequestDto {
  @Text({ min: 1, max: 100, notBlank: true }) friendlyName: string;
}
