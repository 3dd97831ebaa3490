import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

/* The answers of these routes are tested in test/api/people/interactive-login, the access to them here. */

const EMAIL = { email: 'nobody.at.all@example.org' };

export const interactiveLogin: Resource = {
  routes: {
    'POST /api/auth/change-password': {
      access: 'authenticated',
      call: answering(400),
    },
    'POST /api/auth/change-password-with-credentials': {
      access: 'anonymous',
      call: answering(400),
    },
    'POST /api/auth/complete-password-reset': {
      access: 'anonymous',
      call: answering(400),
    },
    'POST /api/auth/interactive-login': {
      access: 'anonymous',
      call: answering(400),
    },
    'POST /api/auth/logout': {
      access: 'authenticated',
      call: answering(204),
    },
    'GET /api/auth/me': {
      access: 'authenticated',
      call: answering(200, { statusWithoutUser: 404 }),
    },
    'POST /api/auth/register': {
      access: 'anonymous',
      call: answering(400),
    },
    'POST /api/auth/login': {
      access: 'anonymous',
      call: answering(400),
    },
    'POST /api/auth/refresh': {
      access: 'anonymous',
      call: answering(400),
    },
    'GET /api/auth/confirmEmail': {
      access: 'anonymous',
      call: answering(400),
    },
    'POST /api/auth/resendConfirmationEmail': {
      access: 'anonymous',
      call: answering(200, { body: EMAIL }),
    },
    'POST /api/auth/forgotPassword': {
      access: 'anonymous',
      call: answering(200, { body: EMAIL }),
    },
    'POST /api/auth/resetPassword': {
      access: 'anonymous',
      call: answering(400),
    },
    'POST /api/auth/manage/2fa': {
      access: 'authenticated',
      proof: 'all',
      call: answering(400, { body: { resetSharedKey: 'neither' } }),
    },
    'GET /api/auth/manage/info': {
      access: 'authenticated',
      call: answering(200, { statusWithoutUser: 404 }),
    },
    'POST /api/auth/manage/info': {
      access: 'authenticated',
      proof: 'all',
      call: answering(200, { body: {}, statusWithoutUser: 404 }),
    },
  },
};
