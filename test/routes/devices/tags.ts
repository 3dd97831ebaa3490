import { about, answering, newName } from '../calls.js';
import type { Resource } from '../resource.js';

const onTag = about('tagId', (scene) => scene.tag());

export const tags: Resource = {
  tag: 'Tags',
  routes: {
    'GET /api/v1/tags': {
      access: 'authenticated',
      tenant: 'query',
      query: { includeLinkedIds: 'boolean' },
      answers: { 200: 'TagsResponseDto' },
      errors: [400, 403],
      call: answering(200),
    },
    'GET /api/v1/tags/:tagId': {
      access: 'authenticated',
      tenant: 'query',
      tagged: [200],
      answers: { 200: 'TagResponseDto' },
      errors: [400, 403, 404],
      call: onTag(200),
    },
    'POST /api/v1/tags': {
      access: 'tenant.tags.write on tenant',
      tenant: 'query',
      tagged: [201],
      body: 'TagCreateRequestDto',
      answers: { 201: 'TagResponseDto' },
      errors: [400, 403],
      call: () => ({ status: 201, body: newName() }),
      writes: ['tag-created'],
    },
    'PUT /api/v1/tags/:tagId': {
      access: 'tenant.tags.write on tenant',
      tenant: 'query',
      tagged: [200],
      ifMatch: 'GET /api/v1/tags/:tagId',
      body: 'UpdateTagRequestDto',
      answers: { 200: 'TagResponseDto' },
      errors: [400, 403, 404],
      call: onTag(200, newName),
      writes: ['tag-renamed'],
    },
    'DELETE /api/v1/tags/:tagId': {
      access: 'tenant.tags.write on tenant',
      tenant: 'query',
      ifMatch: 'GET /api/v1/tags/:tagId',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: onTag(204),
      writes: ['tag-deleted'],
    },
  },
  schemas: {
    TagCreateRequestDto: { name: 'string, required', type: 'TagType, required' },
    TagResponseDto: { id: 'string(uuid)', name: 'string', type: 'TagType', deviceIds: 'list of string(uuid)' },
    TagType: ['Unknown', 'Permission'],
    TagsResponseDto: { items: 'list of TagResponseDto' },
    UpdateTagRequestDto: { name: 'string, required' },
  },
};
