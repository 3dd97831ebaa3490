import { Permission } from '../../../src/access/authorization/permissions/permission.js';

import { about, answering, newName } from '../calls.js';
import type { Resource } from '../resource.js';

const onDeviceGroup = about('deviceGroupId', (scene) => scene.deviceGroup());

export const deviceGroups: Resource = {
  tag: 'DeviceGroups',
  routes: {
    'POST /api/v1/device-groups': {
      access: 'tenant.device-groups.write on tenant',
      tenant: 'query',
      body: 'CreateDeviceGroupRequestDto',
      tagged: [201],
      answers: { 201: 'DeviceGroupDetailDto' },
      errors: [400, 403],
      call: () => ({ status: 201, body: newName() }),
      writes: ['device-group-created'],
    },
    'GET /api/v1/device-groups': {
      access: 'tenant.device-groups.read on tenant',
      tenant: 'query',
      answers: { 200: 'DeviceGroupsResponseDto' },
      errors: [400, 403],
      call: answering(200),
    },
    'GET /api/v1/device-groups/:deviceGroupId': {
      access: 'tenant.device-groups.read on tenant',
      tenant: 'query',
      tagged: [200],
      answers: { 200: 'DeviceGroupDetailDto' },
      errors: [400, 403, 404],
      call: onDeviceGroup(200),
    },
    'PUT /api/v1/device-groups/:deviceGroupId': {
      access: 'tenant.device-groups.write on tenant',
      tenant: 'query',
      body: 'UpdateDeviceGroupRequestDto',
      tagged: [200],
      ifMatch: 'GET /api/v1/device-groups/:deviceGroupId',
      answers: { 200: 'DeviceGroupDetailDto' },
      errors: [400, 403, 404],
      call: onDeviceGroup(200, newName),
      writes: ['device-group-updated'],
    },
    'DELETE /api/v1/device-groups/:deviceGroupId': {
      access: 'tenant.device-groups.write on tenant',
      tenant: 'query',
      ifMatch: 'GET /api/v1/device-groups/:deviceGroupId',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: onDeviceGroup(204),
      writes: ['device-group-deleted'],
    },
    'POST /api/v1/device-groups/:deviceGroupId/members': {
      access: 'device-group.assign-devices on device group: path deviceGroupId',
      tenant: 'query',
      body: 'AddDeviceGroupMembersRequestDto',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: async (scene) => ({
        status: 204,
        path: { deviceGroupId: (await scene.deviceGroup()).id },
        body: { deviceIds: [(await scene.device()).id] },
        also: [Permission.DeviceRead],
      }),
      writes: ['device-group-members-added'],
    },
    'DELETE /api/v1/device-groups/:deviceGroupId/members': {
      access: 'device-group.assign-devices on device group: path deviceGroupId',
      tenant: 'query',
      body: 'RemoveDeviceGroupMembersRequestDto',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: async (scene) => {
        const { device, group } = await scene.groupedDevice();
        return { status: 204, path: { deviceGroupId: group.id }, body: { deviceIds: [device.id] } };
      },
      writes: ['device-group-members-removed'],
    },
  },
  schemas: {
    AddDeviceGroupMembersRequestDto: { deviceIds: 'list of string(uuid) maxItems=1000, required' },
    CreateDeviceGroupRequestDto: { name: 'string minLength=1 maxLength=100, required', description: 'string or null maxLength=500' },
    DeviceGroupDetailDto: {
      id: 'string(uuid)',
      name: 'string',
      description: 'string or null',
      createdAt: 'string(date-time)',
      members: 'list of DeviceGroupMemberDto',
    },
    DeviceGroupDto: {
      id: 'string(uuid)',
      name: 'string',
      description: 'string or null',
      createdAt: 'string(date-time)',
      memberCount: 'integer(int32)',
    },
    DeviceGroupMemberDto: { deviceId: 'string(uuid)', deviceName: 'string', alias: 'string or null', customerName: 'string or null' },
    DeviceGroupsResponseDto: { items: 'list of DeviceGroupDto' },
    RemoveDeviceGroupMembersRequestDto: { deviceIds: 'list of string(uuid) maxItems=1000, required' },
    UpdateDeviceGroupRequestDto: { name: 'string minLength=1 maxLength=100, required', description: 'string or null maxLength=500' },
  },
};
