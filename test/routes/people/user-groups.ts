import { about, answering, newName } from '../calls.js';
import type { Resource } from '../resource.js';

const onUserGroup = about('userGroupId', (scene) => scene.userGroup());

export const userGroups: Resource = {
  tag: 'UserGroups',
  routes: {
    'POST /api/v1/user-groups': {
      access: 'tenant.user-groups.write on tenant',
      tenant: 'query',
      body: 'CreateUserGroupRequestDto',
      tagged: [201],
      answers: { 201: 'UserGroupDetailDto' },
      errors: [400, 403],
      call: () => ({ status: 201, body: newName() }),
      writes: ['user-group-created'],
    },
    'GET /api/v1/user-groups': {
      access: 'tenant.user-groups.read on tenant',
      tenant: 'query',
      answers: { 200: 'UserGroupsResponseDto' },
      errors: [400, 403],
      call: answering(200),
    },
    'GET /api/v1/user-groups/:userGroupId': {
      access: 'tenant.user-groups.read on tenant',
      tenant: 'query',
      tagged: [200],
      answers: { 200: 'UserGroupDetailDto' },
      errors: [400, 403, 404],
      call: onUserGroup(200),
    },
    'PUT /api/v1/user-groups/:userGroupId': {
      access: 'tenant.user-groups.write on tenant',
      tenant: 'query',
      body: 'UpdateUserGroupRequestDto',
      tagged: [200],
      ifMatch: 'GET /api/v1/user-groups/:userGroupId',
      answers: { 200: 'UserGroupDetailDto' },
      errors: [400, 403, 404],
      call: onUserGroup(200, newName),
      writes: ['user-group-updated'],
    },
    'DELETE /api/v1/user-groups/:userGroupId': {
      access: 'tenant.user-groups.write on tenant',
      tenant: 'query',
      ifMatch: 'GET /api/v1/user-groups/:userGroupId',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: onUserGroup(204),
      writes: ['user-group-deleted'],
    },
    'POST /api/v1/user-groups/:userGroupId/members': {
      access: 'user-group.assign-users on user group: path userGroupId',
      tenant: 'query',
      body: 'AddUserGroupMembersRequestDto',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: async (scene) => ({
        status: 204,
        path: { userGroupId: (await scene.userGroup()).id },
        body: { userIds: [(await scene.user()).id] },
      }),
      writes: ['user-group-members-added'],
    },
    'DELETE /api/v1/user-groups/:userGroupId/members': {
      access: 'user-group.assign-users on user group: path userGroupId',
      tenant: 'query',
      body: 'RemoveUserGroupMembersRequestDto',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: async (scene) => {
        const { group, member } = await scene.userGroupWithMember();
        return { status: 204, path: { userGroupId: group.id }, body: { userIds: [member.id] } };
      },
      writes: ['user-group-members-removed'],
    },
  },
  schemas: {
    AddUserGroupMembersRequestDto: { userIds: 'list of string(uuid), required' },
    CreateUserGroupRequestDto: { name: 'string minLength=1 maxLength=100, required', description: 'string or null maxLength=500' },
    RemoveUserGroupMembersRequestDto: { userIds: 'list of string(uuid), required' },
    UpdateUserGroupRequestDto: { name: 'string minLength=1 maxLength=100, required', description: 'string or null maxLength=500' },
    UserGroupDetailDto: {
      id: 'string(uuid)',
      name: 'string',
      description: 'string or null',
      createdAt: 'string(date-time)',
      members: 'list of UserGroupMemberDto',
    },
    UserGroupDto: {
      id: 'string(uuid)',
      name: 'string',
      description: 'string or null',
      createdAt: 'string(date-time)',
      memberCount: 'integer(int32)',
    },
    UserGroupMemberDto: {
      userId: 'string(uuid)',
      userName: 'string',
      displayName: 'string or null',
      lastLogin: 'string(date-time) or null',
    },
    UserGroupsResponseDto: { items: 'list of UserGroupDto' },
  },
};
