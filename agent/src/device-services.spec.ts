import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import * as fc from 'fast-check';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir, type NetworkInterfaceInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { WebSocketServer, type WebSocket } from 'ws';
import { PowerStateChangeType, Timestamp } from '#libs/contracts';
import type { Command } from './commands.js';
import { runCommand } from './commands.js';
import { reconnectDelay } from './connection/back-off.js';
import { FlowControlledSocket } from './connection/flow-controlled-socket.js';
import { IncomingStream } from './connection/incoming-stream.js';
import { SigningClock } from './heartbeat.js';
import type { LookTimes } from './connection/signs-of-life.js';
import type { Log } from './logs/log.js';
import { changePowerState, powerCommands } from './power.js';
import { startOf } from './service/process-start.js';
import { VncSessions } from './vnc.js';
import { isAlive } from './waiting.fixture.js';
import { broadcastAddresses, magicPacket, wakeDevices } from './wake.js';

const DEADLINE_MS = 60_000;

describe('reconnectDelay', () => {
  it('grows quadratically up to 30 s, plus jitter', () => {
    expect([0, 1, 2, 5, 6, 1000].map((attempt) => reconnectDelay(attempt, 20, () => 0))).toEqual([0, 1000, 4000, 25_000, 30_000, 30_000]);
    expect(reconnectDelay(6, 20, () => 0.5)).toBe(40_000);
  });
});

describe('SigningClock', () => {
  it('always returns later times, even within a millisecond', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 2 }), (times) => {
        let next = 0;
        const clock = new SigningClock(() => new Date(1_700_000_000_000 + times[next++]));
        const ticks = times.map(() => clock.next().ticks);
        for (let index = 1; index < ticks.length; index++) expect(ticks[index]).toBeGreaterThan(ticks[index - 1]);
      }),
    );
  });

  it('follows a clock that was set back', () => {
    const times = [new Date('2030-01-01'), new Date('2026-01-01')];
    const clock = new SigningClock(() => times.shift() ?? new Date());
    clock.next();
    expect(clock.next()).toEqual(Timestamp.fromDate(new Date('2026-01-01')));
  });
});

describe('IncomingStream', () => {
  const socket = { held: 0, released: 0, pause: () => void socket.held++, resume: () => void socket.released++ };

  beforeEach(() => {
    socket.held = 0;
    socket.released = 0;
  });

  it('pauses the socket while its reader is slow', async () => {
    const stream = new IncomingStream<number>(socket, () => undefined);
    // Pieces of a file that wait outlive collections of garbage, and take much more memory than they have.
    for (let item = 0; item < 8; item++) stream.next(item);
    expect(socket.held).toBe(1);
    for (let item = 8; item < 100; item++) stream.next(item);
    stream.complete();
    expect([socket.held, socket.released]).toEqual([1, 0]);
    const items: number[] = [];
    for await (const item of stream) items.push(item);
    expect(items).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect([socket.held, socket.released]).toEqual([1, 1]);
  });

  it('cancels the stream and resumes the socket when its reader stops early', async () => {
    let cancelled = 0;
    const stream = new IncomingStream<number>(socket, () => cancelled++);
    for (let item = 0; item < 100; item++) stream.next(item);
    for await (const item of stream) if (item === 3) break;
    expect([cancelled, socket.held, socket.released]).toEqual([1, 1, 1]);
  });

  it('keeps the socket paused while another reader on it is slow', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const shared = new FlowControlledSocket(`ws://127.0.0.1:${portOf(server)}`, undefined, {});
    await once(shared, 'open');
    const [slow, fast] = [0, 1].map(() => new IncomingStream<number>(shared, () => undefined));
    // Both get so much in one piece of the network.
    for (let item = 0; item < 100; item++) for (const stream of [slow, fast]) stream.next(item);
    for await (const item of fast) if (item === 99) break;
    expect(shared.isPaused).toBe(true);
    for await (const item of slow) if (item === 99) break;
    expect(shared.isPaused).toBe(false);
    shared.terminate();
    server.close();
  });

  it('delivers everything that arrived before a fault', async () => {
    const stream = new IncomingStream<number>(socket, () => undefined);
    stream.next(1);
    stream.error(new Error('broken'));
    const items: number[] = [];
    await expect(
      (async () => {
        for await (const item of stream) items.push(item);
      })(),
    ).rejects.toThrow('broken');
    expect(items).toEqual([1]);
  });
});

describe('power', () => {
  it.each([
    [PowerStateChangeType.Restart, 'linux', ['systemctl reboot', 'shutdown -r now', 'reboot']],
    [PowerStateChangeType.Shutdown, 'linux', ['systemctl poweroff', 'shutdown -h now', 'poweroff']],
    [PowerStateChangeType.Restart, 'darwin', ['shutdown -r now']],
    [PowerStateChangeType.Shutdown, 'win32', ['shutdown /s /t 0 /f']],
    [PowerStateChangeType.None, 'linux', []],
  ] as const)('%i on %s', (change, platform, expected) => {
    expect(powerCommands(change, platform).map((command) => command.join(' '))).toEqual(expected);
  });

  it('tries the next command when one fails, and reports when all fail', async () => {
    const tried: Command[] = [];
    const failFirst = async (command: Command): Promise<string> => {
      tried.push(command);
      if (tried.length === 1) throw new Error('no systemd');
      return '';
    };
    await changePowerState(PowerStateChangeType.Restart, failFirst, 'linux');
    expect(tried).toHaveLength(2);
    const failAlways = async (): Promise<string> => {
      throw new Error('refused');
    };
    await expect(changePowerState(PowerStateChangeType.Restart, failAlways, 'linux')).rejects.toThrow('refused');
  });

  it('runs real programs and reports their output when they fail', async () => {
    await expect(runCommand(['echo', 'a b'])).resolves.toBe('a b\n');
    await expect(runCommand(['ls', '/nowhere-at-all'])).rejects.toThrow('nowhere-at-all');
    await expect(runCommand(['nowhere-at-all'])).rejects.toThrow('ENOENT');
    await expect(runCommand(['sh', '-c', 'exit 3'])).rejects.toThrow('sh failed: it ended with 3.');
  });

  it('kills a program that takes too long and does not end when it is asked to, and those that it has started', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'commands-')), 'ids');
    onTestFinished(async () => rm(dirname(file), { recursive: true }));
    const script = `trap '' TERM; sleep 600 & echo $$ $! >${file}; wait`;
    await expect(runCommand(['sh', '-c', script], 500)).rejects.toThrow('sh took longer than 0.5 s.');
    const ids = (await readFile(file, 'utf8')).trim().split(' ').map(Number);
    onTestFinished(() => void ids.filter(isAlive).map((id) => process.kill(id, 'SIGKILL')));
    expect(ids).toHaveLength(2);
    await expect.poll(async () => Promise.all(ids.map(startOf))).toEqual([undefined, undefined]);
  });
});

describe('wake', () => {
  it('builds six bytes FF and the address sixteen times', () => {
    const packet = Buffer.from(magicPacket('00:11:22:aa:bb:cc'));
    expect(packet.toString('hex')).toBe(`ffffffffffff${'001122aabbcc'.repeat(16)}`);
    expect(magicPacket('001122AABBCC')).toEqual(magicPacket('00-11-22-aa-bb-cc'));
    for (const wrong of ['', '001122aabbc', '001122aabbccd', 'zz1122aabbcc']) expect(() => magicPacket(wrong)).toThrow('12 hex digits');
  });

  it('sends a packet for each address', async () => {
    const receiver = createSocket('udp4').bind(0, '127.0.0.1');
    await once(receiver, 'listening');
    const packets: string[] = [];
    receiver.on('message', (packet) => packets.push(packet.toString('hex')));
    // Nothing can be sent to the second address, which does not matter to the first.
    await wakeDevices(
      { macAddresses: ['001122aabbcc', '001122aabbdd', '001122aabbcc'] },
      ['127.0.0.1', 'none.invalid'],
      receiver.address().port,
    );
    await until(() => packets.length === 2);
    // Datagrams may overtake one another.
    expect(packets.sort()).toEqual(['001122aabbcc', '001122aabbdd'].map((mac) => `ffffffffffff${mac.repeat(16)}`));
    receiver.close();
  });

  it('fails when nothing can be sent, and refuses more addresses than a machine has', async () => {
    await expect(wakeDevices({ macAddresses: ['001122aabbcc'] }, ['none.invalid'])).rejects.toThrow('none.invalid');
    await expect(wakeDevices({ macAddresses: Array.from({ length: 65 }, () => '001122aabbcc') }, [])).rejects.toThrow('At most 64');
  });

  it('reaches the network of every card', () => {
    const card = (address: string, netmask: string, internal = false): NetworkInterfaceInfo => ({
      address,
      netmask,
      internal,
      family: 'IPv4',
      mac: '00:11:22:aa:bb:cc',
      cidr: null,
    });
    const interfaces = {
      lo: [card('127.0.0.1', '255.0.0.0', true)],
      eth0: [card('192.0.2.10', '255.255.255.0'), { ...card('', ''), family: 'IPv6' as const, address: '2001:db8::1', scopeid: 0 }],
      eth1: [card('198.51.100.70', '255.255.255.192'), card('192.0.2.11', '255.255.255.0')],
    };
    expect(broadcastAddresses(interfaces)).toEqual(['255.255.255.255', '192.0.2.255', '198.51.100.127']);
  });
});

describe('VNC', () => {
  let local: Server;
  let relay: WebSocketServer;
  const localSockets: Socket[] = [];
  const relaySockets: WebSocket[] = [];
  const stopping = new AbortController();

  beforeEach(async () => {
    local = createServer((socket) => {
      // The end of a session may reset the connection.
      socket.on('error', () => undefined);
      localSockets.push(socket);
    }).listen(0, '127.0.0.1');
    relay = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    relay.on('connection', (socket) => relaySockets.push(socket));
    await Promise.all([once(local, 'listening'), once(relay, 'listening')]);
  });

  afterEach(async () => {
    for (const socket of localSockets.splice(0)) socket.destroy();
    for (const socket of relaySockets.splice(0)) socket.terminate();
    relay.close();
    local.close();
    await once(local, 'close');
  });

  const sessions = (vncPorts = '1-65535', log: Log = silent, looks?: LookTimes): VncSessions =>
    new VncSessions({ serverUri: `http://127.0.0.1:${portOf(relay)}`, vncPorts }, log, stopping.signal, looks);
  const start = async (websocketUri?: string, log: Log = silent, of = sessions(undefined, log)): Promise<void> =>
    of.start({
      sessionId: '11111111-2222-3333-4444-555555555555',
      websocketUri: websocketUri ?? 'wss://devices.example.org/relay?role=responder',
      viewerConnectionId: 'v1',
      deviceId: '11111111-2222-3333-4444-555555555555',
      notifyUserOnSessionStart: false,
      port: portOf(local),
      viewerName: null,
    });

  it('reports whether something listens', async () => {
    await expect(sessions().test(portOf(local))).resolves.toBeUndefined();
    await expect(sessions().test(1)).rejects.toThrow('port 1 of the device');
  });

  it('reaches the ports of the settings only, by default those of VNC displays', async () => {
    const closed = new VncSessions({ serverUri: 'http://127.0.0.1' }, silent, stopping.signal);
    for (const port of [22, 5_899, 5_910, 70_000, -1]) {
      await expect(closed.test(port)).rejects.toThrow(`do not allow VNC on port ${port}, only on 5900-5909 (vncPorts)`);
    }
    await expect(sessions('').test(portOf(local))).rejects.toThrow('only on none');
    await expect(sessions(`5900-5909, ${portOf(local)}`).test(portOf(local))).resolves.toBeUndefined();
    for (const text of ['x', '5900-', '5909-5900', '0', '1-70000']) expect(() => sessions(text)).toThrow('must be ports and ranges');
  });

  it('dials the relay of its own server, whatever host the address names', async () => {
    const asked = once(relay, 'connection');
    await start('wss://evil.example:1/Relay/?sessionId=1&accessToken=2');
    const [, { url }] = (await asked) as [WebSocket, IncomingMessage];
    expect(url).toBe('/relay?sessionId=1&accessToken=2');
    for (const outside of ['ws://127.0.0.1/hubs/agent', 'ws://127.0.0.1/x/relay', 'ws://127.0.0.1/relay/../hubs/agent']) {
      await expect(start(outside)).rejects.toThrow('must have the path /relay');
    }
  });

  it('says that a session ended, and not that it failed, when the viewer or the server closes it', async () => {
    for (const code of [1000, 1001]) {
      const lines: string[] = [];
      const log: Log = { ...silent, info: (line) => void lines.push(line), error: (line) => void lines.push(line) };
      const connected = once(relay, 'connection');
      await start(undefined, log);
      const [socket] = (await connected) as [WebSocket];
      await until(() => localSockets.length > 0);
      socket.close(code);
      await until(() => lines.length > 0);
      expect(lines).toEqual(['VNC session 11111111-2222-3333-4444-555555555555 ended.']);
    }
  });

  it('says the same when the viewer leaves while the screen changes', async () => {
    for (let count = 0; count < 5; count += 1) {
      const lines: string[] = [];
      const note = (line: string): void => void lines.push(line);
      const log: Log = { info: note, warn: note, error: note };
      const [connected, shown] = [once(relay, 'connection'), once(local, 'connection')];
      await start(undefined, log);
      const [[socket], [screen]] = (await Promise.all([connected, shown])) as [[WebSocket], [Socket]];
      const picture = Buffer.alloc(100_000);
      const draw = (): void => {
        while (screen.writable && screen.write(picture));
      };
      screen.on('drain', draw);
      draw();
      await once(socket, 'message');
      socket.close(1000);
      await until(() => lines.length > 0);
      expect(lines).toEqual(['VNC session 11111111-2222-3333-4444-555555555555 ended.']);
    }
  });

  it('carries bytes both ways, in messages of at most 65535 bytes, from the first one on', async () => {
    const relayed: Buffer[] = [];
    relay.once('connection', (socket) => socket.on('message', (data: Buffer) => relayed.push(data)));
    local.once('connection', (socket) => socket.write('RFB 003.008\n'));
    await start();
    await until(() => Buffer.concat(relayed).toString() === 'RFB 003.008\n');

    const large = Buffer.alloc(1_000_000, 'x');
    localSockets[0].write(large);
    await until(() => Buffer.concat(relayed).length === large.length + 12);
    expect(Math.max(...relayed.map((message) => message.length))).toBeLessThanOrEqual(65_535);

    const received: Buffer[] = [];
    localSockets[0].on('data', (data) => received.push(data));
    for (let part = 0; part < 20; part++) relaySockets[0].send(Buffer.alloc(100_000, part));
    await until(() => Buffer.concat(received).length === 2_000_000);
    expect(Buffer.concat(received).at(-1)).toBe(19);
  });

  it('ends both sides when one ends', async () => {
    await start();
    await until(() => relaySockets.length === 1);
    const closed = once(relaySockets[0], 'close');
    localSockets[0].end();
    await closed;
    await start();
    await until(() => relaySockets.length === 2);
    const ended = once(localSockets[1], 'close');
    localSockets[1].resume();
    relaySockets[1].close(1000);
    await ended;
  });

  it('ends when the line to the relay is dead, and only then', async () => {
    const looks = { lookMs: 30, looksUntilDead: 3 };
    const lines: string[] = [];
    const log: Log = { ...silent, warn: (line) => void lines.push(line) };
    const pinged = once(relay, 'connection').then(async ([socket]: WebSocket[]) => {
      for (let pings = 0; pings < 8; pings += 1) await once(socket, 'ping');
    });
    await start(undefined, log, sessions(undefined, log, looks));
    await pinged;
    expect(lines).toEqual([]);
    relay.options.autoPong = false;
    await start(undefined, log, sessions(undefined, log, looks));
    await until(() => localSockets.length === 2);
    localSockets[1].resume();
    await once(localSockets[1], 'close');
    expect(lines).toContain('VNC relay: The line to the server is dead.');
    expect(localSockets[0].closed).toBe(false);
  });

  it('are at most 50 at a time', async () => {
    const all = sessions();
    await Promise.all(Array.from({ length: 50 }, async () => start(undefined, silent, all)));
    await expect(start(undefined, silent, all)).rejects.toThrow('The device has 50 VNC sessions, and takes no more.');
    await until(() => relaySockets.length === 50);
    const ended = once(localSockets[0], 'close');
    localSockets[0].end();
    await ended;
    await until(() => relaySockets.some(({ readyState }) => readyState === 3));
    await expect
      .poll(async () =>
        start(undefined, silent, all).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await expect(start(undefined, silent, all)).rejects.toThrow('takes no more');
  });

  it('warn of nothing when they are many, and when a server reads slowly', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const ending = new AbortController();
    const all = new VncSessions({ serverUri: `http://127.0.0.1:${portOf(relay)}`, vncPorts: '1-65535' }, silent, ending.signal);
    await Promise.all(Array.from({ length: 12 }, async () => start(undefined, silent, all)));
    await until(() => relaySockets.length === 12 && localSockets.length === 12);
    // More than the buffers of the network take, and then many messages at once.
    relaySockets[0].send(Buffer.alloc(12_000_000));
    for (let count = 0; count < 1000; count += 1) relaySockets[0].send('key');
    let received = 0;
    for (const socket of localSockets) socket.on('data', ({ length }) => (received += length));
    await until(() => received === 12_003_000);
    // Warnings are told in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
    ending.abort();
  });

  it('refuses an address that is not a relay, and disconnects from the local server when the relay refuses', async () => {
    await expect(start('http://127.0.0.1/relay')).rejects.toThrow('ws or wss');
    relay.options.verifyClient = (_info: object, answer: (isWelcome: boolean, status: number) => void) => answer(false, 408);
    await start();
    await until(() => localSockets.length === 1);
    localSockets[0].resume();
    // The relay may have refused before the local server noticed its client.
    await until(() => localSockets[0].closed);
  });
});

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

function portOf(server: { address(): ReturnType<Server['address']> }): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen.');
  return address.port;
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('It did not happen in time.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
