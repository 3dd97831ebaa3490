import { EnumName } from '../../../platform/http/binding/enum-fields.js';
import { Guid, ListOf, Nested, PageSize, Text } from '../../../platform/http/binding/fields.js';
import { SCOPE_KIND } from '../../authorization/permissions/permission-names.js';
import { PermissionPrincipalKind, PermissionScopeKind } from '../../authorization/permissions/permission.js';
import { DecidingAssignmentDto, QUERIED_PRINCIPAL_KIND } from '../effective/effective-permission.dto.js';

const DEFAULT_PAGE_SIZE = 50;
const MAXIMUM_PAGE_SIZE = 200;
/** Longer than an id and the longest name of a principal. */
const MAXIMUM_POSITION_LENGTH = 400;

export class PermissionHoldersQueryDto {
  @Text('Name of the permission, from the catalogue.', { min: 1, max: 150, example: 'device.terminal.use' }) permission: string;
  @EnumName('Kind of the scope that is asked about.', SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid('Id of what is asked about. Not given at Server scope; the tenant of the caller at Tenant scope.', { nullable: true })
  scopeId: string | null;
  @PageSize('Holders', { min: 1, max: MAXIMUM_PAGE_SIZE, default: DEFAULT_PAGE_SIZE }) pageSize: number;
  @Text('Start of the page: `next` of the page before.', { nullable: true, max: MAXIMUM_POSITION_LENGTH, example: null })
  after: string | null;
}

export class PermissionHolderDto {
  @EnumName('Kind of the principal.', QUERIED_PRINCIPAL_KIND) principalKind: PermissionPrincipalKind;
  @Guid('Id of the principal.') principalId: string;
  @Text('Name of the principal.', { example: 'anna@contoso.example' }) name: string;
  @Nested('The assignment that allows it; null if the caller may not see it.', () => DecidingAssignmentDto, { nullable: true })
  decidingAssignment: DecidingAssignmentDto | null;
}

export class PermissionHoldersResponseDto {
  @ListOf('The holders by name. A page may hold fewer than asked for, or none, before the last one.', () => PermissionHolderDto)
  items: PermissionHolderDto[];
  @Text('Start of the next page; null on the last one.', { nullable: true, example: null }) next: string | null;
}
