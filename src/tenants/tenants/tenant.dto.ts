import { Guid, Instant, Int, ListOf, Name, Text } from '../../platform/http/binding/fields.js';

const ID = 'Id of the tenant.';
const NAME = 'Name of the tenant.';
const EXAMPLE_NAME = 'Contoso IT';

export class TenantSummaryDto {
  @Guid(ID) id: string;
  @Text(NAME, { example: EXAMPLE_NAME }) name: string;
}

export class TenantsResponseDto {
  @ListOf('The tenants, sorted by name.', () => TenantSummaryDto) items: TenantSummaryDto[];
}

export class GetTenantResponseDto {
  @Guid(ID) tenantId: string;
  @Text(NAME, { example: EXAMPLE_NAME }) tenantName: string;
}

export class TenantContentsDto {
  @Int('Number of its devices, which are deleted with it.', { example: 48 }) deviceCount: number;
}

export class TenantRemovalDto {
  @Guid(ID) tenantId: string;
  @Text('The name that the tenant had.', { example: EXAMPLE_NAME }) tenantName: string;
  @Instant('Start of the deletion. No one can reach the tenant from this time on.') deletedAt: Date;
  @Int('Number of its devices that are still to be removed.', { example: 12_500 }) remainingDeviceCount: number;
}

export class TenantRemovalsResponseDto {
  @ListOf('The tenants that are being removed, those first whose deletion began first.', () => TenantRemovalDto) items: TenantRemovalDto[];
}

export class CreateTenantResponseDto extends GetTenantResponseDto {}

export class CreateTenantRequestDto {
  @Name(NAME, { max: 100, example: EXAMPLE_NAME }) name: string;
}

export class UpdateTenantRequestDto extends CreateTenantRequestDto {}
