import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const userStorage: Resource = {
  tag: 'UserStorage',
  routes: {
    'POST /api/v1/user-storage': {
      access: 'authenticated',
      tenant: 'query',
      body: 'UserStorageRequestDto',
      tagged: [200],
      ifMatch: 'GET /api/v1/user-storage/:key',
      answers: { 200: 'UserStorageResponseDto' },
      errors: [400, 403, 409],
      call: answering(200, { body: { key: 'a-key', value: 'A value' } }),
    },
    'GET /api/v1/user-storage/:key': {
      access: 'authenticated',
      tenant: 'query',
      tagged: [200],
      answers: { 200: 'UserStorageResponseDto', 204: 'nothing' },
      errors: [400, 403],
      call: answering(204, { path: { key: 'another-key' } }),
    },
    'DELETE /api/v1/user-storage/:key': {
      access: 'authenticated',
      tenant: 'query',
      ifMatch: 'GET /api/v1/user-storage/:key',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: async (scene) => ({ status: 204, path: { key: (await scene.storageItem()).key } }),
    },
  },
  schemas: {
    UserStorageRequestDto: {
      key: 'string maxLength=256 pattern=^[a-zA-Z0-9-]+$, required',
      value: 'string maxLength=2048, required',
      replaces: 'string or null maxLength=2048',
    },
    UserStorageResponseDto: { key: 'string', value: 'string or null' },
  },
};
