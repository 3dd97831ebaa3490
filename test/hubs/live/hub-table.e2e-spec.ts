import { beforeAll, describe, expect, it } from 'vitest';
import type { HubConnection } from '@microsoft/signalr';

import { agentHub, viewerHub, type HubMethod } from '#libs/contracts';

import { buildClient } from '../../../libs/signalr/test/support/running-hubs.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { testServer } from '../../support/setup/test-server.js';

/** Calls every method of the contract on the running hubs. A method is served exactly if its descriptor does not mark it as pending. */

/** More arguments than any method takes, so that each method answers the number that it expects. */
const TOO_MANY = Array.from({ length: 9 }, () => null);

describe.each<[string, Readonly<Record<string, HubMethod>>]>([
  ['/hubs/agent', agentHub],
  ['/hubs/viewer', viewerHub],
])('the methods of %s', (path, table) => {
  const server = testServer();
  let connection: HubConnection;

  beforeAll(async () => {
    connection = server.alsoStop(buildClient(`${server.url}${path}`, { skipNegotiation: true, headers: { 'x-api-key': ROOT_KEY } }));
    await connection.start();
  });

  /** The hub's answer to a call with too many arguments. */
  async function refusal(name: string): Promise<string> {
    return connection.invoke(name, ...TOO_MANY).then(
      () => `'${name}' took ${TOO_MANY.length} arguments`,
      (error: unknown) => String(error),
    );
  }

  const methods = Object.values(table);

  it.each(methods.map((method) => [method.name, method] as const))('%s', async (name, { parameters, returns, pending }) => {
    const answer = await refusal(name);
    if (pending === true) {
      expect(answer).toContain(`Failed to invoke '${name}' due to an error on the server. HubException: Method does not exist.`);
      return;
    }
    const streams = returns !== undefined && 'stream' in returns;
    const values = parameters.filter((parameter) => !('stream' in parameter)).length;
    expect(answer).toContain(streams ? `the streaming '${name}' method` : `The method takes ${values} argument(s), not ${TOO_MANY.length}`);
    expect(await refusal(name.toLowerCase())).toContain(streams ? 'the streaming' : `takes ${values} argument(s)`);
  });

  it.each(['SendDtoToUserGroups', 'ReceiveDeviceUpdate', 'constructor', '__proto__', 'onDisconnected', 'updateDevice2', ''])(
    'do not include %j',
    async (name) => {
      expect(await refusal(name)).toContain('Method does not exist.');
    },
  );
});
