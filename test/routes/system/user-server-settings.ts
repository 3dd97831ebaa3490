import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const userServerSettings: Resource = {
  tag: 'UserServerSettings',
  routes: {
    'GET /api/v1/user-server-settings/file-upload-max-size': {
      access: 'authenticated',
      cacheSeconds: 30,
      answers: { 200: 'FileUploadMaxSizeResponseDto' },
      call: answering(200),
    },
    'GET /api/v1/user-server-settings/decommission-status': {
      access: 'authenticated',
      cacheSeconds: 30,
      answers: { 200: 'DecommissionServerResponseDto' },
      call: answering(200),
    },
  },
  schemas: {
    DecommissionServerResponseDto: { isEnabled: 'boolean' },
    FileUploadMaxSizeResponseDto: { maxFileSize: 'integer(int64)' },
  },
};
