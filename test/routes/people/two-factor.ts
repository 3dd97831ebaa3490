import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const twoFactor: Resource = {
  routes: {
    'GET /account/two-factor': { access: 'signed in', call: answering(200) },
    'POST /account/two-factor/setup': { access: 'signed in', proof: 'all', call: answering(200) },
    'POST /account/two-factor/enable': { access: 'signed in', proof: 'all', call: answering(409, { body: { code: '000000' } }) },
    'POST /account/two-factor/disable': { access: 'signed in', proof: 'all', call: answering(204) },
    'POST /account/two-factor/recovery-codes': { access: 'signed in', proof: 'all', call: answering(409) },
  },
};
