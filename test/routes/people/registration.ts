import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

/* Valid registrations, codes and invitations are tested in test/api: these rows are about the access. */

const EMAIL = { email: 'nobody.at.all@example.org' };

export const registration: Resource = {
  routes: {
    'GET /account/registration': {
      access: 'anonymous',
      call: answering(200),
    },
    'POST /account/register': {
      access: 'anonymous',
      call: answering(400),
    },
    'POST /account/email/confirm': {
      access: 'anonymous',
      call: answering(400),
    },
    'POST /account/email/resend-confirmation': {
      access: 'anonymous',
      call: answering(204, { body: EMAIL }),
    },
    'POST /account/password': {
      access: 'signed in',
      proof: 'programs',
      call: answering(400),
    },
    'POST /account/password/forgot': {
      access: 'anonymous',
      call: answering(204, { body: EMAIL }),
    },
    'POST /account/password/reset': {
      access: 'anonymous',
      call: answering(400),
    },
    'GET /account/invites/:code': {
      access: 'anonymous',
      call: answering(404, { path: { code: 'unknown' } }),
    },
    'POST /api/invites/accept': {
      access: 'anonymous',
      call: answering(400),
    },
  },
};
