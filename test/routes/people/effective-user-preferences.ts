import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const effectiveUserPreferences: Resource = {
  tag: 'EffectiveUserPreferences',
  routes: {
    'GET /api/v1/effective-user-preferences': {
      access: 'authenticated',
      tenant: 'query',
      answers: { 200: 'EffectiveUserPreferencesDto' },
      errors: [400, 403],
      call: answering(200),
    },
  },
  schemas: {
    EffectiveUserPreferencesDto: { notifyUserOnSessionStart: 'boolean', isNotifyUserOnSessionStartTenantEnforced: 'boolean' },
  },
};
