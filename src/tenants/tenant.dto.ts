import { Guid, ListOf, Text } from '../http/binding/fields.js';

export class TenantSummaryDto {
  @Guid('') id: string;
  @Text('') name: string;
}

export class TenantsResponseDto {
  @ListOf('', () => TenantSummaryDto) items: TenantSummaryDto[];
}

export class GetTenantResponseDto {
  @Guid('') tenantId: string;
  @Text('') tenantName: string;
}

export class CreateTenantResponseDto extends GetTenantResponseDto {}

export class CreateTenantRequestDto {
  @Text('', { max: 100, notBlank: true }) name: string;
}

export class UpdateTenantRequestDto extends CreateTenantRequestDto {}
