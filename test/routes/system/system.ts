import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

/** Routes for operators and browsers: health, and the API descriptions. The pages are no routes: `src/system/web` serves them first. */
export const system: Resource = {
  routes: {
    'GET /health': { access: 'anonymous', call: answering(200) },
    'GET /health/ready': { access: 'anonymous', call: answering(200) },
    'GET /alive': { access: 'anonymous', call: answering(200) },
    'GET /account/doctor/echo': { access: 'anonymous', call: answering(404) },
    'POST /account/doctor/echo': { access: 'anonymous', call: answering(404) },
    'GET /device-access': { access: 'anonymous', call: answering(400, { query: { logonToken: 'token' } }) },
    'POST /device-access': { access: 'anonymous', call: answering(400, { query: { logonToken: 'token' } }) },
    'GET /api-browser': { access: 'anonymous', call: answering(200) },
    'GET /api-browser/v1': { access: 'anonymous', call: answering(200) },
    'GET /api-browser/internal': { access: 'anonymous', call: answering(200) },
    'GET /api-browser/account': { access: 'anonymous', call: answering(200) },
    'GET /api-browser/inventory': { access: 'anonymous', call: answering(200) },
    'GET /api-browser/events': { access: 'anonymous', call: answering(200) },
    'GET /api-browser/assets/:name': { access: 'anonymous', call: answering(200, { path: { name: 'swagger-ui.css' } }) },
    'GET /openapi/v1.json': { access: 'anonymous', call: answering(200) },
    'GET /openapi/internal.json': { access: 'anonymous', call: answering(200) },
    'GET /openapi/account.json': { access: 'anonymous', call: answering(200) },
    'GET /openapi/inventory.json': { access: 'anonymous', call: answering(200) },
    'GET /openapi/events.json': { access: 'anonymous', call: answering(200) },
  },
};
