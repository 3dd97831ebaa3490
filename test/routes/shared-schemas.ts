import type { Schemas } from './resource.js';

/** Schemas that routes of several resources use. */
export const sharedSchemas: Schemas = {
  CreatePersonalAccessTokenRequestDto: {
    name: 'string minLength=1 maxLength=256, required',
    permissionMode: 'PersonalAccessTokenPermissionMode',
    scopes: 'list of CredentialScopeDto or null',
    expiresAt: 'string(date-time) or null',
  },
  CreatePersonalAccessTokenResponseDto: { personalAccessToken: 'PersonalAccessTokenResponseDto', plainTextToken: 'string' },
  CreateServiceAccountCredentialRequestDto: { name: 'string minLength=1 maxLength=100, required', expiresAt: 'string(date-time) or null' },
  CreateServiceAccountCredentialResponseDto: { credential: 'ServiceAccountCredentialDto', plainTextSecretKey: 'string' },
  CredentialScopeDto: {
    permissionName: 'string minLength=1 maxLength=150, required',
    scopeKind: 'PermissionScopeKind, required',
    scopeId: 'string(uuid) or null',
  },
  PermissionScopeKind: ['Unknown', 'Server', 'Tenant', 'CustomerTenant', 'DeviceGroup', 'Device', 'UserGroup'],
  PersonalAccessTokenPermissionMode: ['Restricted', 'InheritOwner'],
  PersonalAccessTokenResponseDto: {
    id: 'string(uuid)',
    name: 'string',
    createdAt: 'string(date-time)',
    lastUsed: 'string(date-time) or null',
    permissionCount: 'integer(int32)',
    permissionMode: 'PersonalAccessTokenPermissionMode',
    expiresAt: 'string(date-time) or null',
    revokedAt: 'string(date-time) or null',
  },
  PersonalAccessTokensResponseDto: { items: 'list of PersonalAccessTokenResponseDto' },
  ProblemDetails: {
    type: 'string or null',
    title: 'string or null',
    status: 'integer(int32) or null',
    detail: 'string or null',
    instance: 'string or null',
    traceId: 'string or null',
    errors: 'object or null',
  },
  ServiceAccountCredentialDto: {
    id: 'string(uuid)',
    name: 'string',
    createdAt: 'string(date-time)',
    expiresAt: 'string(date-time) or null',
    revokedAt: 'string(date-time) or null',
    lastUsedAt: 'string(date-time) or null',
  },
  UpdatePersonalAccessTokenRequestDto: { name: 'string minLength=1 maxLength=256, required' },
  UpdateServiceAccountRequestDto: {
    name: 'string minLength=1 maxLength=100, required',
    description: 'string or null maxLength=500',
    isEnabled: 'boolean, required',
  },
};
