import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const publicServerSettings: Resource = {
  tag: 'PublicServerSettings',
  routes: {
    'GET /api/v1/public-server-settings': {
      access: 'anonymous',
      cacheSeconds: 60,
      answers: { 200: 'PublicServerSettingsDto' },
      call: answering(200),
    },
  },
  schemas: {
    PublicServerSettingsDto: { isPublicRegistrationEnabled: 'boolean', disableDesktopPreview: 'boolean' },
  },
};
