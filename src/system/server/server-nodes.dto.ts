import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Double, Instant, Int, ListOf, Nested, Text, TextList } from '../../platform/http/binding/fields.js';

/** State of a node by its last report. */
export enum NodeStateName {
  Running = 'Running',
  Draining = 'Draining',
  Overdue = 'Overdue',
}

const STATE = namesOf('ServerNodeState', NodeStateName, {
  Running: 'it serves',
  Draining: 'it is about to stop',
  Overdue: 'it has not reported in time, and is removed from the list soon',
});

class ServerNodeDto {
  @Text('Id of this run of the process.', { example: 'q3Zp0aVY1c7x' }) id: string;
  @Bool('True for the node that answers.') isThis: boolean;
  @Text('Host and port at which other nodes reach it; null in an installation of one node, and until it has announced them.', {
    nullable: true,
    example: '10.0.0.12:8091',
  })
  address: string | null;
  @Text('Release of the service.', { example: '1.4.0' }) release: string;
  @EnumName('State by its last report.', STATE) state: NodeStateName;
  @Int('Number of hub connections, as of its last report.', { example: 3412 }) connections: number;
  @Instant('Time of its start.') startedAt: Date;
  @Instant('Time of its last report to the database.') reportedAt: Date;
  @Instant('Time at which the node that answers heard it over NATS; null if it did not, and in an installation of one node.', {
    nullable: true,
  })
  heardAt: Date | null;
}

class NatsStandingDto {
  @Text('Server of NATS that the node that answers uses; null while none is reached.', { nullable: true, example: 'nats-1:4222' })
  server: string | null;
  @Text('Release of that server.', { nullable: true, example: '2.14.0' }) release: string | null;
  @Text('Name of its cluster; null if it stands alone.', { nullable: true, example: 'devices' }) cluster: string | null;
  @TextList('Addresses at which the cluster takes nodes.', { max: 100, maxLength: 300, example: ['nats-1:4222', 'nats-2:4222'] })
  addresses: string[];
  @Double('Time of a message to NATS and back in milliseconds; null before the first.', { nullable: true, example: 0.6 })
  roundTripMs: number | null;
}

export class ServerNodesResponseDto {
  @ListOf('Nodes, those that run longest first; at most 256.', () => ServerNodeDto) nodes: ServerNodeDto[];
  @Nested('NATS, as the node that answers sees it; null in an installation of one node.', () => NatsStandingDto, { nullable: true })
  nats: NatsStandingDto | null;
}
