import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const serverLogs: Resource = {
  tag: 'ServerLogs',
  routes: {
    'GET /api/v1/server-logs/get-aspire-url': {
      access: 'server.telemetry.read on server',
      answers: { 200: 'GetAspireUrlResponseDto' },
      errors: [403],
      call: answering(200),
    },
  },
  schemas: {
    GetAspireUrlResponseDto: { isConfigured: 'boolean', aspireUrl: 'string or null' },
  },
};
