/** A test that has another outcome with several nodes, by its title and those of its groups. */
interface LeftOut {
  /** The beginning of the whole title. */
  readonly title: string;
  readonly reason: string;
}

const EACH_COUNTS = 'Each node counts for itself, as the documentation says.';
const HEARD_LATER = 'Other nodes hear of a change a moment later.';
const ONE_IS_WATCHED = 'It watches or hinders one node, and another one may have answered.';
const WRITTEN_LATER = 'Another node reads the last use from the database, where it is written within seconds.';
const OWN_FOLDER = 'Each node has a data folder of its own.';
const OWN_EXAMINATION = 'Each node makes one examination at a time.';

/** The tests of `test/hubs` and `test/api` that are left out when each application of a test is several nodes, by the path of their spec. */
export const LEFT_OUT: Readonly<Record<string, readonly LeftOut[]>> = {
  'test/api/access/authentication.e2e-spec.ts': [{ title: 'throttling', reason: EACH_COUNTS }],
  'test/api/access/change-log-acts.e2e-spec.ts': [
    { title: 'a log of sixty thousand entries > is read only as far as', reason: ONE_IS_WATCHED },
  ],
  'test/api/access/change-logs.e2e-spec.ts': [{ title: 'a log of forty thousand entries > finds', reason: ONE_IS_WATCHED }],
  'test/api/access/exports.e2e-spec.ts': [
    {
      title: 'the change log as a file > with 100,000 entries > is whole, and sent without being held',
      reason: 'The memory is that of all nodes, which are one process here.',
    },
  ],
  'test/api/attacks/expensive-searches.e2e-spec.ts': [
    { title: 'a search > waits for those of its caller, and for no others', reason: EACH_COUNTS },
  ],
  'test/api/attacks/fair-shares.e2e-spec.ts': [{ title: 'the share of one caller', reason: EACH_COUNTS }],
  'test/api/attacks/permission-writes.e2e-spec.ts': [
    { title: 'parallel writes of permissions in one tenant > wait without connections', reason: EACH_COUNTS },
    { title: 'parallel writes of permissions in one tenant > are refused when too many wait', reason: EACH_COUNTS },
  ],
  'test/api/attacks/pipelined-requests.e2e-spec.ts': [
    { title: 'requests that do not wait for answers', reason: 'The balancer takes one request of a connection after the other.' },
  ],
  'test/api/attacks/sign-in.e2e-spec.ts': [
    { title: 'a flood of passwords > locks nobody out whose sign-ins it turns away', reason: EACH_COUNTS },
  ],
  'test/api/attacks/silent-connections.e2e-spec.ts': [{ title: 'a listening connection that is silent', reason: ONE_IS_WATCHED }],
  'test/api/attacks/tenant-deletion.e2e-spec.ts': [
    { title: 'a tenant whose deletion has begun > is as if it did not exist', reason: ONE_IS_WATCHED },
  ],
  'test/api/attacks/upload-spool.e2e-spec.ts': [
    { title: 'uploads that wait on the server > take no more than half beside those of another tenant', reason: EACH_COUNTS },
  ],
  'test/api/devices/agent-updates.e2e-spec.ts': [
    { title: 'bundle metadata > describes what is published to every spelling', reason: OWN_FOLDER },
    { title: 'bundle metadata > sees a replaced bundle at once', reason: OWN_FOLDER },
    { title: 'downloads > serves published files', reason: OWN_FOLDER },
    { title: 'downloads > describes and signs the bundle of its own agent', reason: OWN_FOLDER },
    { title: 'downloads > prefers what the operator publishes', reason: OWN_FOLDER },
  ],
  'test/api/devices/customers.e2e-spec.ts': [
    { title: 'customers > as scopes of permissions > apply to a device from the next request', reason: HEARD_LATER },
  ],
  'test/api/devices/desktop-preview.e2e-spec.ts': [{ title: 'shows a logon token’s session only the desktops', reason: ONE_IS_WATCHED }],
  'test/api/devices/device-groups.e2e-spec.ts': [
    { title: 'device groups > as scopes of permissions > apply to a device from the next request', reason: HEARD_LATER },
  ],
  'test/api/devices/devices.e2e-spec.ts': [
    { title: 'devices > one device > is deleted with everything that refers to it', reason: ONE_IS_WATCHED },
  ],
  'test/api/devices/long-device-lists.e2e-spec.ts': [{ title: 'a large list of devices', reason: ONE_IS_WATCHED }],
  'test/api/matrix/pending-keys.e2e-spec.ts': [{ title: 'no route reaches a device whose key waits', reason: ONE_IS_WATCHED }],
  'test/api/people/external-sign-up.e2e-spec.ts': [
    { title: 'where addresses have to be confirmed > one that the provider has not verified', reason: EACH_COUNTS },
  ],
  'test/api/people/mail.e2e-spec.ts': [
    { title: 'in development without a mail server > writes a message to the private mail folder', reason: OWN_FOLDER },
  ],
  'test/api/people/sign-in.e2e-spec.ts': [
    {
      title: 'a session > ends 14 days after its last use',
      reason: WRITTEN_LATER,
    },
    {
      title: 'a session > ends 90 days after the sign-in',
      reason: WRITTEN_LATER,
    },
  ],
  'test/api/platform/compression.e2e-spec.ts': [{ title: 'compression > of a list that is read page by page', reason: ONE_IS_WATCHED }],
  'test/api/platform/http-edge.e2e-spec.ts': [
    { title: 'the HTTP edge > clients that misbehave > survives a client that disconnects', reason: ONE_IS_WATCHED },
  ],
  'test/api/platform/invalidation.e2e-spec.ts': [{ title: 'while notifications do not arrive', reason: ONE_IS_WATCHED }],
  'test/api/system/caller.e2e-spec.ts': [
    { title: 'the agents that can be installed are those whose bundle', reason: OWN_FOLDER },
    { title: 'the installers of other agents are offered', reason: OWN_FOLDER },
  ],
  'test/api/system/doctor-echo.e2e-spec.ts': [
    { title: 'the echo for the doctor > answers nobody without a token, and a token once', reason: EACH_COUNTS },
  ],
  'test/api/system/events.e2e-spec.ts': [
    { title: 'reading events > waits for an event, which wakes it', reason: ONE_IS_WATCHED },
    { title: 'reading events > answers without an event when the time is over', reason: ONE_IS_WATCHED },
    { title: 'rights to events > end a stream and a wait', reason: ONE_IS_WATCHED },
    { title: 'rights to events > allow an account ten readers at once', reason: EACH_COUNTS },
  ],
  'test/api/system/long-lists.e2e-spec.ts': [{ title: 'lists of many thousand items', reason: ONE_IS_WATCHED }],
  'test/api/system/readiness.e2e-spec.ts': [
    { title: 'the readiness of a process', reason: 'With NATS it has more members, which `test/nodes` checks.' },
  ],
  'test/api/system/server-backups.e2e-spec.ts': [
    { title: 'the backups of a server', reason: OWN_FOLDER },
    { title: 'encrypted backups', reason: OWN_FOLDER },
  ],
  'test/api/system/server-health.e2e-spec.ts': [{ title: 'examinations at the same time', reason: OWN_EXAMINATION }],
  'test/api/system/version.e2e-spec.ts': [
    { title: 'version and public server settings > answers the published agent version', reason: OWN_FOLDER },
    { title: 'version and public server settings > answers the release notes', reason: OWN_FOLDER },
  ],
  'test/api/system/webhooks.e2e-spec.ts': [
    { title: 'webhooks that may lead to this machine > count as failed when the receiver never', reason: ONE_IS_WATCHED },
  ],
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
    { title: 'heartbeat subscriptions > let a device that goes offline', reason: ONE_IS_WATCHED },
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
