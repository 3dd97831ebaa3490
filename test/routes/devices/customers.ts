import { Permission } from '../../../src/access/authorization/permissions/permission.js';

import { about, answering, newName } from '../calls.js';
import type { Resource } from '../resource.js';

const onCustomer = about('customerId', (scene) => scene.customer());

export const customers: Resource = {
  tag: 'Customers',
  routes: {
    'POST /api/v1/customers': {
      access: 'tenant.customers.write on tenant',
      tenant: 'query',
      body: 'CreateCustomerRequestDto',
      tagged: [201],
      answers: { 201: 'CustomerDto' },
      errors: [400, 403, 409],
      call: () => ({ status: 201, body: newName() }),
      writes: ['customer-created'],
    },
    'GET /api/v1/customers': {
      access: 'tenant.customers.read on tenant',
      tenant: 'query',
      answers: { 200: 'CustomersResponseDto' },
      errors: [400, 403],
      call: answering(200),
    },
    'GET /api/v1/customers/:customerId': {
      access: 'tenant.customers.read on tenant',
      tenant: 'query',
      tagged: [200],
      answers: { 200: 'CustomerDto' },
      errors: [400, 403, 404],
      call: onCustomer(200),
    },
    'PUT /api/v1/customers/:customerId': {
      access: 'tenant.customers.write on tenant',
      tenant: 'query',
      body: 'UpdateCustomerRequestDto',
      tagged: [200],
      ifMatch: 'GET /api/v1/customers/:customerId',
      answers: { 200: 'CustomerDto' },
      errors: [400, 403, 404, 409],
      call: onCustomer(200, newName),
      writes: ['customer-updated'],
    },
    'DELETE /api/v1/customers/:customerId': {
      access: 'tenant.customers.write on tenant',
      tenant: 'query',
      ifMatch: 'GET /api/v1/customers/:customerId',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: onCustomer(204),
      writes: ['customer-deleted'],
    },
    'POST /api/v1/customers/:customerId/devices': {
      access: 'tenant.customers.write on tenant',
      tenant: 'query',
      body: 'AssignCustomerDevicesRequestDto',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: async (scene) => ({
        status: 204,
        path: { customerId: (await scene.customer()).id },
        body: { deviceIds: [(await scene.device()).id], removeDeviceIds: [] },
        also: [Permission.DeviceRead],
      }),
      writes: ['customer-devices-assigned'],
    },
  },
  schemas: {
    AssignCustomerDevicesRequestDto: {
      deviceIds: 'list of string(uuid) maxItems=1000, required',
      removeDeviceIds: 'list of string(uuid) maxItems=1000, required',
    },
    CreateCustomerRequestDto: {
      name: 'string minLength=1 maxLength=100, required',
      description: 'string or null maxLength=500',
      notes: 'string or null maxLength=500',
    },
    CustomerDto: {
      id: 'string(uuid)',
      name: 'string',
      description: 'string or null',
      notes: 'string or null',
      createdAt: 'string(date-time)',
      deviceCount: 'integer(int32)',
    },
    CustomersResponseDto: { items: 'list of CustomerDto' },
    UpdateCustomerRequestDto: {
      name: 'string minLength=1 maxLength=100, required',
      description: 'string or null maxLength=500',
      notes: 'string or null maxLength=500',
    },
  },
};
