import { describe, expect, it } from 'vitest';
import { ClientCall } from '../calls/client-call.js';
import { clientMethod } from '../calls/method-descriptor.js';
import { news, TestHub } from '../test-hub.fixture.js';
import { any, text } from '../wire-type.js';

describe('groups and users', () => {
  it('encodes a message to a group once per encoding', () => {
    const hub = new TestHub();
    const members = [hub.connect(), hub.connect(), hub.connect()];
    for (const { connection } of members) void hub.addToGroup(connection.connectionId, 'room');
    let encoded = 0;
    const counting = clientMethod('News', [{ ...text, encode: (value: string) => (encoded++, value) }]);
    hub.nodes.push({ groups: ['room'] }, new ClientCall(counting, ['all']), { except: ['n.2'] });
    expect(encoded).toBe(1);
    expect(members.map(({ transport }) => transport.sent.length)).toEqual([1, 0, 1]);
  });

  it('reaches the members whose encoding can express a message, and logs once that others were left out', () => {
    const hub = new TestHub();
    const members = [hub.connect('ann'), hub.connectInMessagePack('ann'), hub.connect('ann')];
    for (const { connection } of members) void hub.addToGroup(connection.connectionId, 'room');
    const big = new ClientCall(clientMethod('News', [any]), [2n ** 60n]);
    hub.push({ groups: ['room'] }, big, {});
    hub.push({ groups: ['room'] }, big, { latestKey: 'big' });
    hub.push({ users: ['ann'] }, big, {});
    hub.push('all', big, {});
    expect(members.map(({ transport }) => transport.sent.length)).toEqual([0, 4, 0]);
    const line = "'News' of hub /hub reaches not all clients: A whole number beyond 53 bits goes over JSON as bigint only.";
    expect(hub.errors).toEqual([line, line, line, line]);
  });

  it('reaches all connections of a user until they end', () => {
    const hub = new TestHub();
    const [first, second, other] = [hub.connect('ann'), hub.connect('ann'), hub.connect('bob')];
    hub.push({ users: ['ann'] }, new ClientCall(news, ['1']), {});
    first.transport.lose();
    hub.push({ users: ['ann'] }, new ClientCall(news, ['2']), {});
    expect([first, second, other].map(({ transport }) => transport.sent.length)).toEqual([1, 2, 0]);
  });

  it('forgets the groups of a connection when it ends', () => {
    const hub = new TestHub();
    const { transport, connection } = hub.connect();
    void hub.addToGroup(connection.connectionId, 'room');
    void hub.addToGroup('n.unknown', 'room');
    void hub.removeFromGroup(connection.connectionId, 'other room');
    transport.lose();
    hub.push({ groups: ['room'] }, new ClientCall(news, ['late']), {});
    connection.send(news, ['late']);
    expect(transport.sent).toEqual([]);
    expect(hub.size).toBe(0);
  });
});
