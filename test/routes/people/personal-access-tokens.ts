import { answering, newName } from '../calls.js';
import type { Resource } from '../resource.js';

export const personalAccessTokens: Resource = {
  tag: 'PersonalAccessTokens',
  routes: {
    'POST /api/v1/personal-access-tokens': {
      proof: 'all',
      access: 'personal-access-token.self.write on tenant',
      tenant: 'query',
      body: 'CreatePersonalAccessTokenRequestDto',
      answers: { 201: 'CreatePersonalAccessTokenResponseDto' },
      errors: [400, 403],
      call: () => ({ status: 201, body: newName(), statusWithoutUser: 403 }),
      writes: ['personal-access-token-created'],
    },
    'GET /api/v1/personal-access-tokens': {
      access: 'personal-access-token.self.read on tenant',
      tenant: 'query',
      answers: { 200: 'PersonalAccessTokensResponseDto' },
      errors: [400, 403],
      call: answering(200, { statusWithoutUser: 403 }),
    },
    'PUT /api/v1/personal-access-tokens/:id': {
      access: 'personal-access-token.self.write on tenant',
      tenant: 'query',
      body: 'UpdatePersonalAccessTokenRequestDto',
      answers: { 200: 'PersonalAccessTokenResponseDto' },
      errors: [400, 403],
      call: async (scene) => ({
        status: 200,
        path: { id: (await scene.ownPersonalAccessToken()).id },
        body: newName(),
        statusWithoutUser: 403,
      }),
      writes: ['personal-access-token-updated'],
    },
    'DELETE /api/v1/personal-access-tokens/:id': {
      access: 'personal-access-token.self.write on tenant',
      tenant: 'query',
      answers: { 204: 'nothing' },
      errors: [400, 403],
      call: async (scene) => ({
        status: 204,
        path: { id: (await scene.ownPersonalAccessToken()).id },
        statusWithoutUser: 403,
      }),
      writes: ['personal-access-token-deleted'],
    },
  },
};
