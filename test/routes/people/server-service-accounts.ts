import { answering, newName, serviceAccountCalls } from '../calls.js';
import type { Resource } from '../resource.js';

const accounts = serviceAccountCalls(() => null);

export const serverServiceAccounts: Resource = {
  tag: 'ServerServiceAccounts',
  routes: {
    'POST /api/v1/server-service-accounts': {
      access: 'server.service-accounts.write on server',
      body: 'CreateServerServiceAccountRequestDto',
      tagged: [201],
      answers: { 201: 'ServerServiceAccountDto' },
      errors: [400, 403, 409],
      call: () => ({ status: 201, body: { ...newName(), accessMode: 'Restricted' } }),
      writes: ['service-account-created'],
    },
    'GET /api/v1/server-service-accounts': {
      access: 'server.service-accounts.read on server',
      answers: { 200: 'ServerServiceAccountsResponseDto' },
      errors: [403],
      call: answering(200),
    },
    'GET /api/v1/server-service-accounts/:serviceAccountId': {
      access: 'server.service-accounts.read on server',
      tagged: [200],
      answers: { 200: 'ServerServiceAccountDto' },
      errors: [403, 404],
      call: accounts.onAccount(200),
    },
    'PUT /api/v1/server-service-accounts/:serviceAccountId': {
      access: 'server.service-accounts.write on server',
      body: 'UpdateServiceAccountRequestDto',
      tagged: [200],
      ifMatch: 'GET /api/v1/server-service-accounts/:serviceAccountId',
      answers: { 200: 'ServerServiceAccountDto' },
      errors: [400, 403, 404],
      call: accounts.onAccount(200, () => ({ ...newName(), isEnabled: true })),
      writes: ['service-account-updated'],
    },
    'DELETE /api/v1/server-service-accounts/:serviceAccountId': {
      access: 'server.service-accounts.write on server',
      ifMatch: 'GET /api/v1/server-service-accounts/:serviceAccountId',
      answers: { 204: 'nothing' },
      errors: [403, 404],
      call: accounts.onAccount(204),
      writes: ['service-account-deleted'],
    },
    'POST /api/v1/server-service-accounts/:serviceAccountId/credentials': {
      proof: 'all',
      access: 'server.service-accounts.rotate-credentials on server',
      body: 'CreateServiceAccountCredentialRequestDto',
      answers: { 200: 'CreateServiceAccountCredentialResponseDto' },
      errors: [400, 403, 404],
      call: accounts.onAccount(200, newName),
      writes: ['service-account-credential-created'],
    },
    'DELETE /api/v1/server-service-accounts/:serviceAccountId/credentials/:credentialId': {
      access: 'server.service-accounts.rotate-credentials on server',
      answers: { 204: 'nothing' },
      errors: [403, 404],
      call: accounts.onCredential(null),
      writes: ['service-account-credential-revoked'],
    },
    'DELETE /api/v1/server-service-accounts/:serviceAccountId/credentials/:credentialId/purge': {
      access: 'server.service-accounts.rotate-credentials on server',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: accounts.onCredential(new Date()),
      writes: ['service-account-credential-deleted'],
    },
  },
  schemas: {
    CreateServerServiceAccountRequestDto: {
      name: 'string minLength=1 maxLength=100, required',
      description: 'string or null maxLength=500',
      accessMode: 'ServiceAccountAccessMode, required',
    },
    ServerServiceAccountDto: {
      id: 'string(uuid)',
      name: 'string',
      description: 'string or null',
      isEnabled: 'boolean',
      accessMode: 'ServiceAccountAccessMode',
      createdAt: 'string(date-time)',
      credentials: 'list of ServiceAccountCredentialDto',
    },
    ServerServiceAccountsResponseDto: { items: 'list of ServerServiceAccountDto' },
    ServiceAccountAccessMode: ['Restricted', 'Unrestricted'],
  },
};
