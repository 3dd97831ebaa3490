import { createUser } from '@nats-io/nkeys';

import { OPTIONS, variableOf } from './platform/config/options.js';

/* Makes the key with which the nodes of the service sign in to NATS. It is kept nowhere: both lines are printed once. */

const user = createUser();
const seed = new TextDecoder().decode(user.getSeed());
process.stdout.write(`# For each node. Who has it can command every agent:
${variableOf(OPTIONS.nodes.natsSeed.key)}=${seed}
# For NATS (deploy/nats/nats-server.conf):
NATS_NKEY=${user.getPublicKey()}
`);
