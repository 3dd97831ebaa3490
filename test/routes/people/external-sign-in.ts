import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

/* Whole sign-ins are tested in test/api/people/external-sign-in: these rows are about the access. No provider is configured. */

const nowhere = { path: { provider: 'nowhere' } };

export const externalSignIn: Resource = {
  routes: {
    'GET /account/external/providers': { access: 'anonymous', call: answering(200) },
    'GET /account/external/:provider/start': { access: 'anonymous', call: answering(404, nowhere) },
    'GET /account/external/:provider/callback': { access: 'anonymous', call: answering(404, nowhere) },
    'GET /account/external/logins': { access: 'signed in', call: answering(200) },
    'POST /account/external/:provider/link': {
      access: 'signed in',
      proof: 'all',
      call: answering(404, { ...nowhere, body: { returnPath: '/' } }),
    },
    'POST /account/external/:provider/step-up': { access: 'signed in', call: answering(404, { ...nowhere, body: { returnPath: '/' } }) },
    'DELETE /account/external/logins/:id': {
      access: 'signed in',
      proof: 'all',
      call: answering(404, { path: { id: newGuid() } }),
    },
  },
};
