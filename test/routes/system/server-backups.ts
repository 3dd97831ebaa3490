import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

const access = 'server.settings.write on server';

export const serverBackups: Resource = {
  routes: {
    'GET /account/server-backups': { access, call: answering(200) },
    'POST /account/server-backups': { access, call: answering(202), writes: ['server-backup-requested'] },
    'POST /account/server-backups/:name/verification': {
      access,
      call: answering(404, { path: { name: 'nightly-20260921T003000Z.backup' }, detail: 'The backup was not found.' }),
    },
  },
};
