import { NatsServer } from './nats-server.js';

const USER = 'nodes';
const PASSWORD = 'a-password-of-the-test';
/** The account of nodes, for a client of the test. */
export const NATS_LOGIN = { user: USER, pass: PASSWORD };
/** The secret by which the nodes prove what they pass on. */
export const NODES_SECRET = 'a-secret-of-the-nodes-of-32-characters';

/** Starts a server of NATS that lets the nodes of a test in, with further options. */
export function startNats(options: readonly string[] = []): Promise<NatsServer> {
  return NatsServer.start(['--user', USER, '--pass', PASSWORD, ...options]);
}

/** The options of a node of a test. Its internal port is any free one. */
export function nodeOptions({ url }: Pick<NatsServer, 'url'>): Record<string, string> {
  return {
    Service_Nodes__Nats: url,
    Service_Nodes__NatsUser: USER,
    Service_Nodes__NatsPassword: PASSWORD,
    Service_Nodes__Secret: NODES_SECRET,
    Service_Nodes__Port: '0',
    Service_Nodes__BindAddress: '127.0.0.1',
  };
}
