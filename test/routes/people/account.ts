import { newGuid } from '../../../src/platform/common/identifiers/guid.js';

import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

/* The effects of these routes are tested in test/api/people/account, the access to them here. */

export const account: Resource = {
  routes: {
    'GET /account/sessions': {
      access: 'signed in',
      call: answering(200),
    },
    'DELETE /account/sessions/:sessionId': {
      access: 'signed in',
      proof: 'programs',
      call: () => ({ status: 404, path: { sessionId: newGuid() } }),
    },
    'POST /account/sessions/end-others': {
      access: 'signed in',
      proof: 'programs',
      call: answering(200),
    },
    'GET /account/profile': {
      access: 'signed in',
      call: answering(200),
    },
    'PUT /account/profile': {
      access: 'signed in',
      call: answering(200, { body: { displayName: 'Anna Berg' } }),
    },
    'POST /account/email/change': {
      access: 'signed in',
      proof: 'all',
      call: answering(400),
    },
    'GET /account/personal-data': {
      access: 'signed in',
      call: answering(200),
    },
    'DELETE /account': {
      access: 'signed in',
      proof: 'all',
      call: answering(400),
    },
  },
};
