import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

/* Valid passwords are tested in test/api/people/sign-in: these rows are about the access. */

export const signIn: Resource = {
  routes: {
    'POST /account/sign-in': {
      access: 'anonymous',
      call: answering(400),
    },
    'POST /account/sign-out': {
      access: 'authenticated',
      call: answering(204),
    },
    'POST /account/step-up': {
      access: 'signed in',
      call: answering(400),
    },
  },
};
