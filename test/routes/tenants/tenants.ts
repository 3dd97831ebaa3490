import { about, answering, newName } from '../calls.js';
import type { Resource } from '../resource.js';

const onTenant = about('tenantId', (scene) => scene.anotherTenant());

export const tenants: Resource = {
  tag: 'Tenants',
  routes: {
    'POST /api/v1/tenants': {
      access: 'server.tenants.write on server',
      body: 'CreateTenantRequestDto',
      tagged: [201],
      answers: { 201: 'CreateTenantResponseDto' },
      errors: [400, 403],
      call: () => ({ status: 201, body: newName() }),
      writes: ['tenant-created'],
    },
    'GET /api/v1/tenants': {
      access: 'server.tenants.read on server',
      answers: { 200: 'TenantsResponseDto' },
      errors: [403],
      call: answering(200),
    },
    'GET /api/v1/tenants/removals': {
      access: 'server.tenants.read on server',
      answers: { 200: 'TenantRemovalsResponseDto' },
      errors: [403],
      call: answering(200),
    },
    'GET /api/v1/tenants/:tenantId': {
      access: 'server.tenants.read on server',
      tenant: 'path, as the object',
      tagged: [200],
      answers: { 200: 'GetTenantResponseDto' },
      errors: [400, 403, 404],
      call: onTenant(200),
    },
    'GET /api/v1/tenants/:tenantId/contents': {
      access: 'server.tenants.read on server',
      tenant: 'path, as the object',
      answers: { 200: 'TenantContentsDto' },
      errors: [400, 403, 404],
      call: onTenant(200),
    },
    'PUT /api/v1/tenants/:tenantId': {
      access: 'server.tenants.write on server',
      tenant: 'path, as the object',
      body: 'UpdateTenantRequestDto',
      tagged: [200],
      ifMatch: 'GET /api/v1/tenants/:tenantId',
      answers: { 200: 'GetTenantResponseDto' },
      errors: [400, 403, 404],
      call: onTenant(200, newName),
      writes: ['tenant-updated'],
    },
    'DELETE /api/v1/tenants/:tenantId': {
      access: 'server.tenants.delete on server',
      tenant: 'path, as the object',
      ifMatch: 'GET /api/v1/tenants/:tenantId',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: onTenant(204),
      writes: ['tenant-deleted'],
    },
  },
  schemas: {
    CreateTenantRequestDto: { name: 'string maxLength=100, required' },
    CreateTenantResponseDto: { tenantId: 'string(uuid)', tenantName: 'string' },
    GetTenantResponseDto: { tenantId: 'string(uuid)', tenantName: 'string' },
    TenantContentsDto: { deviceCount: 'integer(int32)' },
    TenantRemovalDto: {
      tenantId: 'string(uuid)',
      tenantName: 'string',
      deletedAt: 'string(date-time)',
      remainingDeviceCount: 'integer(int32)',
    },
    TenantRemovalsResponseDto: { items: 'list of TenantRemovalDto' },
    TenantSummaryDto: { id: 'string(uuid)', name: 'string' },
    TenantsResponseDto: { items: 'list of TenantSummaryDto' },
    UpdateTenantRequestDto: { name: 'string maxLength=100, required' },
  },
};
