import type { Resource } from '../resource.js';

export const deviceTags: Resource = {
  tag: 'DeviceTags',
  routes: {
    'POST /api/v1/device-tags': {
      access: 'device.tags.write on device: body deviceId',
      tenant: 'query',
      body: 'DeviceTagAddRequestDto',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: async (scene) => ({
        status: 204,
        body: { deviceId: (await scene.device()).id, tagId: (await scene.tag()).id },
      }),
      writes: ['device-tag-added'],
    },
    'DELETE /api/v1/device-tags/:deviceId/:tagId': {
      access: 'device.tags.write on device: path deviceId',
      tenant: 'query',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: async (scene) => {
        const { device, tag } = await scene.taggedDevice();
        return { status: 204, path: { deviceId: device.id, tagId: tag.id } };
      },
      writes: ['device-tag-removed'],
    },
  },
  schemas: {
    DeviceTagAddRequestDto: { deviceId: 'string(uuid), required', tagId: 'string(uuid), required' },
  },
};
