import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

/* Valid passkeys are tested in test/browser/passkeys: these rows are about the access. The address has no domain name here. */

const aPasskey = { path: { id: newGuid() } };

export const passkeys: Resource = {
  routes: {
    'GET /account/passkeys': {
      access: 'signed in',
      call: answering(200),
    },
    'POST /account/passkeys': {
      access: 'signed in',
      proof: 'all',
      call: answering(400),
    },
    'POST /account/passkeys/registration-options': {
      access: 'signed in',
      proof: 'all',
      call: answering(409),
    },
    'PUT /account/passkeys/:id': {
      access: 'signed in',
      proof: 'programs',
      call: answering(404, { ...aPasskey, body: { name: 'Laptop' } }),
    },
    'DELETE /account/passkeys/:id': {
      access: 'signed in',
      proof: 'all',
      call: answering(404, aPasskey),
    },
    'POST /account/passkeys/sign-in-options': {
      access: 'anonymous',
      call: answering(409),
    },
    'POST /account/passkeys/sign-in': {
      access: 'anonymous',
      call: answering(400),
    },
    'POST /account/step-up/passkey-options': {
      access: 'signed in',
      call: answering(409),
    },
    'POST /account/step-up/passkey': {
      access: 'signed in',
      call: answering(400),
    },
  },
};
