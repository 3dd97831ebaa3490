import { answering, newName, serviceAccountCalls } from '../calls.js';
import type { Resource } from '../resource.js';

const accounts = serviceAccountCalls(({ tenant }) => tenant.id);

export const tenantServiceAccounts: Resource = {
  tag: 'TenantServiceAccounts',
  routes: {
    'POST /api/v1/tenant-service-accounts/:tenantId': {
      access: 'service-account.write on tenant',
      tenant: 'path',
      body: 'CreateServiceAccountRequestDto',
      tagged: [201],
      answers: { 201: 'TenantServiceAccountDto' },
      errors: [400, 403, 409],
      call: () => ({ status: 201, body: newName() }),
      writes: ['service-account-created'],
    },
    'GET /api/v1/tenant-service-accounts/:tenantId': {
      access: 'service-account.read on tenant',
      tenant: 'path',
      answers: { 200: 'TenantServiceAccountsResponseDto' },
      errors: [400, 403],
      call: answering(200),
    },
    'GET /api/v1/tenant-service-accounts/:tenantId/:serviceAccountId': {
      access: 'service-account.read on tenant',
      tenant: 'path',
      tagged: [200],
      answers: { 200: 'TenantServiceAccountDto' },
      errors: [400, 403, 404],
      call: accounts.onAccount(200),
    },
    'PUT /api/v1/tenant-service-accounts/:tenantId/:serviceAccountId': {
      access: 'service-account.write on tenant',
      tenant: 'path',
      body: 'UpdateServiceAccountRequestDto',
      tagged: [200],
      ifMatch: 'GET /api/v1/tenant-service-accounts/:tenantId/:serviceAccountId',
      answers: { 200: 'TenantServiceAccountDto' },
      errors: [400, 403, 404],
      call: accounts.onAccount(200, () => ({ ...newName(), isEnabled: true })),
      writes: ['service-account-updated'],
    },
    'DELETE /api/v1/tenant-service-accounts/:tenantId/:serviceAccountId': {
      access: 'service-account.write on tenant',
      tenant: 'path',
      ifMatch: 'GET /api/v1/tenant-service-accounts/:tenantId/:serviceAccountId',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: accounts.onAccount(204),
      writes: ['service-account-deleted'],
    },
    'POST /api/v1/tenant-service-accounts/:tenantId/:serviceAccountId/credentials': {
      proof: 'all',
      access: 'service-account.rotate-credentials on tenant',
      tenant: 'path',
      body: 'CreateServiceAccountCredentialRequestDto',
      answers: { 200: 'CreateServiceAccountCredentialResponseDto' },
      errors: [400, 403, 404],
      call: accounts.onAccount(200, newName),
      writes: ['service-account-credential-created'],
    },
    'DELETE /api/v1/tenant-service-accounts/:tenantId/:serviceAccountId/credentials/:credentialId': {
      access: 'service-account.rotate-credentials on tenant',
      tenant: 'path',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: accounts.onCredential(null),
      writes: ['service-account-credential-revoked'],
    },
    'DELETE /api/v1/tenant-service-accounts/:tenantId/:serviceAccountId/credentials/:credentialId/purge': {
      access: 'service-account.rotate-credentials on tenant',
      tenant: 'path',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: accounts.onCredential(new Date()),
      writes: ['service-account-credential-deleted'],
    },
  },
  schemas: {
    CreateServiceAccountRequestDto: { name: 'string minLength=1 maxLength=100, required', description: 'string or null maxLength=500' },
    TenantServiceAccountDto: {
      id: 'string(uuid)',
      name: 'string',
      description: 'string or null',
      isEnabled: 'boolean',
      createdAt: 'string(date-time)',
      credentials: 'list of ServiceAccountCredentialDto',
    },
    TenantServiceAccountsResponseDto: { items: 'list of TenantServiceAccountDto' },
  },
};
