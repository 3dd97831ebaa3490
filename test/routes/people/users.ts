import { newGuid } from '../../../src/platform/common/identifiers/guid.js';

import { about, answering, newName } from '../calls.js';
import type { Resource } from '../resource.js';

const onUser = about('userId', (scene) => scene.user());

export const users: Resource = {
  tag: 'Users',
  routes: {
    'POST /api/v1/users': {
      access: 'tenant.users.write on tenant',
      tenant: 'query',
      body: 'CreateUserRequestDto',
      answers: { 201: 'UserResponseDto' },
      errors: [400, 403],
      call: () => ({ status: 201, body: { userName: `${newGuid()}@example.org` } }),
      writes: ['permission-assignments-seeded', 'user-created'],
    },
    'GET /api/v1/users': {
      access: 'tenant.users.read on tenant',
      tenant: 'query',
      answers: { 200: 'UsersResponseDto' },
      errors: [400, 403],
      call: answering(200),
    },
    'DELETE /api/v1/users/:userId': {
      access: 'tenant.users.delete on tenant',
      tenant: 'query',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: onUser(204),
      writes: ['user-deleted'],
    },
    'POST /api/v1/users/:userId/reset-password': {
      proof: 'all',
      access: 'tenant.users.write on tenant',
      tenant: 'query',
      answers: { 200: 'AdminResetPasswordResponseDto' },
      errors: [400, 403, 404],
      call: onUser(200),
      writes: ['user-password-reset'],
    },
    'POST /api/v1/users/:userId/personal-access-tokens': {
      proof: 'all',
      access: 'personal-access-token.others.write on tenant',
      tenant: 'query',
      body: 'CreatePersonalAccessTokenRequestDto',
      answers: { 201: 'CreatePersonalAccessTokenResponseDto' },
      errors: [400, 403, 404],
      call: onUser(201, newName),
      writes: ['personal-access-token-created'],
    },
    'GET /api/v1/users/:userId/personal-access-tokens': {
      access: 'personal-access-token.others.read on tenant',
      tenant: 'query',
      answers: { 200: 'PersonalAccessTokensResponseDto' },
      errors: [400, 403, 404],
      call: onUser(200),
    },
    'PUT /api/v1/users/:userId/personal-access-tokens/:tokenId': {
      access: 'personal-access-token.others.write on tenant',
      tenant: 'query',
      body: 'UpdatePersonalAccessTokenRequestDto',
      answers: { 200: 'PersonalAccessTokenResponseDto' },
      errors: [400, 403, 404],
      call: async (scene) => {
        const { id: userId } = await scene.user();
        return { status: 200, path: { userId, tokenId: (await scene.personalAccessToken(userId)).id }, body: newName() };
      },
      writes: ['personal-access-token-updated'],
    },
    'DELETE /api/v1/users/:userId/personal-access-tokens/:tokenId': {
      access: 'personal-access-token.others.write on tenant',
      tenant: 'query',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: async (scene) => {
        const { id: userId } = await scene.user();
        return { status: 204, path: { userId, tokenId: (await scene.personalAccessToken(userId)).id } };
      },
      writes: ['personal-access-token-deleted'],
    },
  },
  schemas: {
    AdminResetPasswordResponseDto: { temporaryPassword: 'string' },
    CreateUserRequestDto: {
      userName: 'string, required',
      email: 'string or null',
      password: 'string or null',
      presetNames: 'list of string or null',
    },
    UserResponseDto: {
      id: 'string(uuid)',
      userName: 'string or null',
      email: 'string or null',
      createdAt: 'string(date-time)',
      permissions: 'list of string',
      displayName: 'string or null',
    },
    UsersResponseDto: { items: 'list of UserResponseDto' },
  },
};
