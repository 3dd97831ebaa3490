import { Guid, Int, ListOf, Name, Text } from '../../platform/http/binding/fields.js';

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

export class CreateTenantResponseDto extends GetTenantResponseDto {}

export class CreateTenantRequestDto {
  @Name(NAME, { max: 100, example: EXAMPLE_NAME }) name: string;
}

export class UpdateTenantRequestDto extends CreateTenantRequestDto {}
