/** A test that has another outcome with several nodes, by its title and those of its groups. */
interface LeftOut {
  /** The beginning of the whole title. */
  readonly title: string;
  readonly reason: string;
}

const EACH_COUNTS = 'Each node counts for itself, as the documentation says.';

/** The tests of `test/hubs` that are left out when each application of a test is several nodes, by the path of their spec. */
export const LEFT_OUT: Readonly<Record<string, readonly LeftOut[]>> = {
  'test/hubs/attacks/anonymous-agents.e2e-spec.ts': [{ title: 'anonymous agent connections of one address', reason: EACH_COUNTS }],
  'test/hubs/attacks/negotiations.e2e-spec.ts': [
    { title: 'negotiations without end', reason: 'Nothing is kept of a negotiation before its connection is opened: its token is sealed.' },
  ],
  'test/hubs/attacks/tenant-shares.e2e-spec.ts': [
    { title: 'connections of viewers', reason: EACH_COUNTS },
    { title: 'places at the relay', reason: EACH_COUNTS },
  ],
  'test/hubs/attacks/unfinished-messages.e2e-spec.ts': [
    { title: 'unfinished messages of unauthenticated connections > are limited in all', reason: EACH_COUNTS },
  ],
  'test/hubs/devices/device-activities.e2e-spec.ts': [
    {
      title: 'the audit record > of a terminal that another connection of the same person takes over',
      reason: 'Each node keeps a record of what its own connections did.',
    },
  ],
  'test/hubs/live/agent-connection.e2e-spec.ts': [
    {
      title: 'the connection of a device > is the one whose update was accepted last',
      reason: 'Other nodes hear of a move a moment later.',
    },
    { title: 'a node > marks the devices of nodes that are gone offline', reason: 'It lists the rows of nodes, of which one is its own.' },
    { title: 'a node > stops even if the database is away', reason: 'A node that starts leaves the devices of others to a later sweep.' },
  ],
  'test/hubs/live/relay.e2e-spec.ts': [
    { title: 'the relay > refuses > more responders of one address', reason: EACH_COUNTS },
    { title: 'the relay > refuses > more requesters of one principal', reason: EACH_COUNTS },
  ],
  'test/hubs/live/viewer-connection.e2e-spec.ts': [
    { title: 'connecting to the viewer hub > answers a public connection id', reason: 'A sealed token has another form.' },
  ],
  'test/hubs/live/viewer-heartbeats.e2e-spec.ts': [
    {
      title: 'heartbeat subscriptions > of thousands of devices',
      reason: 'Other nodes push reports that follow soon on each other as one state.',
    },
  ],
  'test/hubs/live/viewer-presence.e2e-spec.ts': [
    {
      title: 'users of the viewer hub > are offline when they are deleted and when the node starts or stops',
      reason: 'It starts and stops one node, and the viewers may be at another.',
    },
  ],
  'test/hubs/live/viewer-transports.e2e-spec.ts': [
    { title: 'when the service stops > polls and event streams end at once', reason: 'No node is left behind the balancer to answer it.' },
  ],
  'test/hubs/platform/refusal-log.e2e-spec.ts': [
    { title: 'the log of refusals > names principal, device and request', reason: 'Each node writes a log of its own.' },
  ],
};
