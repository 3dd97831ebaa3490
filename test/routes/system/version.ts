import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const version: Resource = {
  tag: 'Version',
  routes: {
    'GET /api/v1/version/agent': {
      access: 'anonymous',
      cacheSeconds: 60,
      answers: { 200: 'string' },
      call: answering(404),
    },
    'GET /api/v1/version/server': {
      access: 'anonymous',
      cacheSeconds: 60,
      answers: { 200: 'string' },
      call: answering(200),
    },
    'GET /api/v1/version/release-notes': {
      access: 'anonymous',
      cacheSeconds: 60,
      answers: { 200: 'string' },
      call: answering(404),
    },
  },
};
