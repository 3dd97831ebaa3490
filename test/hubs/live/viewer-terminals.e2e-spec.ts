import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  agentClient,
  agentHub,
  hubOk,
  type HubResult,
  TerminalMode,
  TerminalOutputDto,
  TerminalOutputKind,
  Timestamp,
  viewerHub,
  type Encoding,
  type TerminalInputDto,
} from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { InvalidationBus } from '../../../src/platform/database/invalidation/invalidation-bus.js';
import { createKeyedDevice, FakeAgent, ReferenceAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { envelopeOf, sendSigned, serverTime } from '../agent-envelope.js';
import { callerWith, TestViewer, type Caller } from '../viewer-client.js';

describe('terminals', () => {
  const server = testServer();
  const tenant = testTenant(server);
  let caller: Caller;
  const keep = stopAfterEach();

  beforeAll(async () => {
    caller = await callerWith(server, tenant, [Permission.DeviceTerminalUse], at.tenant(tenant));
  });

  async function connect(encoding?: Encoding): Promise<TestViewer> {
    return keep(await TestViewer.connect(server, caller.headers, encoding));
  }

  const printed = (viewer: TestViewer): string => viewer.outputs.map(({ output }) => output).join('');

  /** A viewer that may use only the terminals of one device. */
  async function limitedViewer(device: KeyedDevice): Promise<{ viewer: TestViewer; limited: Caller }> {
    const limited = await callerWith(server, tenant, [Permission.DeviceTerminalUse], at.device(device));
    const viewer = keep(await TestViewer.connect(server, limited.headers));
    return { viewer, limited };
  }

  describe('of the reference agent', () => {
    let device: KeyedDevice;
    let agent: ReferenceAgent;

    beforeAll(async () => {
      device = await createKeyedDevice(server, tenant);
      agent = await ReferenceAgent.start(server, device);
    });

    afterAll(() => agent.stop());

    /** A viewer with a terminal of its own on the device. */
    async function terminal(
      encoding?: Encoding,
    ): Promise<{ viewer: TestViewer; terminalId: string; type: (line: string, extra?: Partial<TerminalInputDto>) => Promise<void> }> {
      const viewer = await connect(encoding);
      const terminalId = newGuid();
      expect(await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId })).toMatchObject({ isSuccess: true });
      const type = async (input: string, extra: Partial<TerminalInputDto> = {}): Promise<void> => {
        const dto = { terminalId, input, viewerConnectionId: null, ...extra };
        expect(await viewer.call(viewerHub.SendTerminalInput2, { deviceId: device.id, input: dto })).toMatchObject({
          isSuccess: true,
          reason: null,
        });
      };
      return { viewer, terminalId, type };
    }

    it.each<Encoding>(['json', 'messagepack'])('show a version line, a prompt, output and errors in %s', async (encoding) => {
      const { viewer, terminalId, type } = await terminal(encoding);
      await eventually('version and prompt', () => viewer.outputs.length >= 2);
      expect(viewer.outputs[0]).toMatchObject({
        terminalId,
        output: expect.stringMatching(/^Device agent .+\n$/),
        outputKind: TerminalOutputKind.StandardOutput,
        supportsRaw: true,
      });
      expect(viewer.outputs[1].output).toMatch(/[>$#] $/);

      await type('echo $((6 * 7))');
      await eventually('the output', () => printed(viewer).includes('42'));
      await type('ls /nowhere-at-all');
      await eventually('the error', () =>
        viewer.outputs.some(
          ({ output, outputKind }) => output.includes('nowhere-at-all') && outputKind === TerminalOutputKind.StandardError,
        ),
      );
      for (const { terminalId: id, timestamp } of viewer.outputs) {
        expect(id).toBe(terminalId);
        expect(Math.abs(timestamp.unixMilliseconds - Date.now())).toBeLessThan(60_000);
      }
    });

    it('accept input before the command has ended', async () => {
      const { viewer, terminalId, type } = await terminal();
      await eventually('the prompt', () => viewer.outputs.length >= 2);
      // Accepted, although the command never ends by itself.
      await type('tail -f /dev/null');
      await type('echo later');
      expect(printed(viewer)).not.toContain('later');
      await viewer.call(viewerHub.CloseTerminalSession2, { deviceId: device.id, terminalId });
    });

    it('belong to one viewer: two viewers of a device see nothing of each other', async () => {
      const [first, second] = [await terminal(), await terminal('messagepack')];
      await first.type('mine=first; echo "is $mine"');
      await second.type('mine=second; echo "is $mine"');
      await eventually('both outputs', () => printed(first.viewer).includes('is first') && printed(second.viewer).includes('is second'));
      await first.type('echo "still $mine"');
      await eventually('the first goes on', () => printed(first.viewer).includes('still first'));
      expect(printed(first.viewer)).not.toContain('second');
      expect(printed(second.viewer)).not.toContain('first');
    });

    it('become interactive when the agent supports it', async () => {
      const { viewer, type } = await terminal();
      await eventually('the agent says so', () => viewer.outputs.some(({ supportsRaw }) => supportsRaw === true));
      await type('', { mode: TerminalMode.Raw, columns: 123, rows: 45 });
      await type('stty size\r', { mode: TerminalMode.Raw });
      const raw = (): string =>
        viewer.outputs
          .filter(({ mode }) => mode === TerminalMode.Raw)
          .map(({ output }) => output)
          .join('');
      await eventually('the size of the terminal', () => raw().includes('45 123'));
      // The program prints a line when it runs. Earlier output comes from the shell, which may still be about to start it.
      await type("sh -c 'echo st$((1))arted; exec sleep 600'\r", { mode: TerminalMode.Raw });
      await eventually('the program runs', () => raw().includes('st1arted'));
      await type('\u0003', { mode: TerminalMode.Raw });
      // The terminal may drop what is typed between the interrupt and the prompt.
      await eventually('a new prompt', () => /\^C[^]*[$#>] /.test(raw()));
      await type('echo in$((1))terrupted\r', { mode: TerminalMode.Raw });
      await eventually('the command after the interrupt', () => raw().includes('in1terrupted'));
    });

    it('print long output completely and in order', async () => {
      const { viewer, type } = await terminal();
      await eventually('version and prompt', () => viewer.outputs.length >= 2);
      viewer.outputs.length = 0;
      await type('seq 1 20000');
      await eventually('the last line', () => printed(viewer).includes('\n20000\n'));
      const lines = printed(viewer)
        .split('\n')
        .filter((line) => /^\d+$/.test(line));
      expect(lines).toEqual(Array.from({ length: 20_000 }, (_, index) => String(index + 1)));
    });

    it('print nothing after they are closed', async () => {
      const { viewer, terminalId, type } = await terminal();
      await type('while :; do echo tick; sleep 0.01; done');
      // The loop prints only at its end, so the test shows that the shell is gone and the next one is new.
      await viewer.call(viewerHub.CloseTerminalSession, device.id, terminalId);
      await viewer.call(viewerHub.CreateTerminalSession, device.id, terminalId);
      await type('echo "anew"');
      await eventually('the new shell answers', () => printed(viewer).includes('anew'));
      expect(printed(viewer)).not.toContain('tick');
    });

    it('complete a command line', async () => {
      const { viewer, terminalId } = await terminal();
      const { isSuccess, value } = await viewer.call(viewerHub.GetPwshCompletions, {
        deviceId: device.id,
        terminalId,
        lastCompletionInput: 'ls /et',
        lastCursorIndex: 6,
        viewerConnectionId: '',
        forward: null,
        page: 0,
        pageSize: 50,
      });
      expect(isSuccess).toBe(true);
      expect(value?.completionMatches.map(({ completionText }) => completionText)).toContain('/etc/');
    });
  });

  it('get input in order while rights are looked up again', async () => {
    const device = await createKeyedDevice(server, tenant);
    const agent = keep(await FakeAgent.online(server, device));
    const typed: string[] = [];
    const take = (input: string): HubResult => {
      typed.push(input);
      return hubOk();
    };
    agent.on(agentClient.CreateTerminalSession, () => take('opened'));
    agent.on(agentClient.ReceiveTerminalInput, ({ input }) => take(input));
    const { viewer } = await limitedViewer(device);
    const terminalId = newGuid();
    const answers: Promise<{ isSuccess: boolean }>[] = [viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId })];
    const numbers = Array.from({ length: 300 }, (_, number) => String(number));
    for (const input of numbers) {
      answers.push(
        viewer.call(viewerHub.SendTerminalInput2, { deviceId: device.id, input: { terminalId, input, viewerConnectionId: '' } }),
      );
      server.app.get(InvalidationBus).forgetAll();
      await new Promise(setImmediate);
    }
    expect((await Promise.all(answers)).every(({ isSuccess }) => isSuccess)).toBe(true);
    expect(typed).toEqual(['opened', ...numbers]);
  });

  describe('output that an agent sends', () => {
    const OUTPUT = { output: 'hello', outputKind: TerminalOutputKind.StandardOutput, timestamp: Timestamp.fromDate(new Date(0)) };

    async function fakeAgent(): Promise<{ device: KeyedDevice; agent: FakeAgent }> {
      const device = await createKeyedDevice(server, tenant);
      const agent = keep(await FakeAgent.online(server, device));
      agent.on(agentClient.CreateTerminalSession, () => hubOk());
      return { device, agent };
    }

    /** Settles after the server has processed the output. */
    async function print({ connection }: FakeAgent, viewerConnectionId: string, terminalId: string, output: string): Promise<void> {
      const { name } = agentHub.SendTerminalOutputToViewer;
      await connection.invoke(name, viewerConnectionId, TerminalOutputDto.encode({ ...OUTPUT, terminalId, output }, 'json'));
    }

    async function open(viewer: TestViewer, device: KeyedDevice): Promise<string> {
      const terminalId = newGuid();
      await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId });
      return terminalId;
    }

    /** Sends output that must be dropped, then output that must arrive the same way. */
    async function expectDropped(viewer: TestViewer, agent: FakeAgent, terminalId: string, forge: () => Promise<void>): Promise<void> {
      await forge();
      await print(agent, viewer.connectionId, terminalId, 'real');
      await eventually('the real output arrives', () => printed(viewer).includes('real'));
      expect(printed(viewer)).not.toContain('forged');
    }

    it('reaches the viewer that opened the terminal', async () => {
      const { device, agent } = await fakeAgent();
      const viewer = await connect();
      const terminalId = await open(viewer, device);
      await print(agent, viewer.connectionId, terminalId, 'hello');
      await eventually('the output', () => viewer.outputs.length === 1);
      expect(viewer.outputs[0]).toEqual({ ...OUTPUT, terminalId, output: 'hello' });
    });

    it('keeps its order while rights are looked up again', async () => {
      const { device, agent } = await fakeAgent();
      const { viewer } = await limitedViewer(device);
      const terminalId = await open(viewer, device);
      const numbers = Array.from({ length: 300 }, (_, number) => number);
      const sent: Promise<void>[] = [];
      for (const number of numbers) {
        sent.push(print(agent, viewer.connectionId, terminalId, `${number};`));
        server.app.get(InvalidationBus).forgetAll();
        await new Promise(setImmediate);
      }
      await Promise.all(sent);
      await eventually('all of it', () => viewer.outputs.length === numbers.length);
      expect(printed(viewer)).toBe(numbers.map((number) => `${number};`).join(''));
    });

    it('is dropped for a terminal that the viewer did not open', async () => {
      const { device, agent } = await fakeAgent();
      const [viewer, other] = [await connect(), await connect()];
      const [terminalId, otherId] = [await open(viewer, device), await open(other, device)];
      await expectDropped(viewer, agent, terminalId, async () => {
        await print(agent, viewer.connectionId, newGuid(), 'forged');
        await print(agent, viewer.connectionId, otherId, 'forged');
        await print(agent, 'node.invented', terminalId, 'forged');
      });
      expect(other.outputs).toEqual([]);
    });

    it('is dropped when it comes from an agent of another device or from one without an accepted report', async () => {
      const { device, agent } = await fakeAgent();
      const { agent: stranger } = await fakeAgent();
      const anonymous = keep(await FakeAgent.connect(server, device));
      const viewer = await connect();
      const terminalId = await open(viewer, device);
      await expectDropped(viewer, agent, terminalId, async () => {
        await print(stranger, viewer.connectionId, terminalId, 'forged');
        await print(anonymous, viewer.connectionId, terminalId, 'forged');
      });
    });

    it('is dropped when it comes from a connection that the device is no longer reached through', async () => {
      const { device, agent } = await fakeAgent();
      const newer = keep(await FakeAgent.connect(server, device));
      newer.on(agentClient.CreateTerminalSession, () => hubOk());
      expect(
        (await sendSigned(newer.connection, await envelopeOf(server, device, { timestamp: serverTime(server, 1_000) }))).isSuccess,
      ).toBe(true);
      const viewer = await connect();
      const terminalId = await open(viewer, device);
      await expectDropped(viewer, newer, terminalId, () => print(agent, viewer.connectionId, terminalId, 'forged'));
    });

    it('is dropped after the viewer has closed the terminal', async () => {
      const { device, agent } = await fakeAgent();
      const viewer = await connect();
      const [closed, terminalId] = [await open(viewer, device), await open(viewer, device)];
      await viewer.call(viewerHub.CloseTerminalSession2, { deviceId: device.id, terminalId: closed });
      await expectDropped(viewer, agent, terminalId, () => print(agent, viewer.connectionId, closed, 'forged'));
    });

    it('closes a terminal after a minute without a reader, unless the viewer comes back', async () => {
      const { device, agent } = await fakeAgent();
      const closed: string[] = [];
      agent.on(agentClient.CloseTerminalSession, (terminalId) => void closed.push(terminalId));
      const viewer = await connect();
      const gone = 'node.gone';
      const [abandoned, resumed] = [newGuid(), await open(viewer, device)];
      for (const terminalId of [abandoned, resumed]) await print(agent, gone, terminalId, 'lost');
      await print(agent, viewer.connectionId, resumed, 'heard');
      expect(closed).toEqual([]);

      server.clock.advance(60_000);
      for (const terminalId of [resumed, abandoned]) await print(agent, gone, terminalId, 'lost');
      await eventually('the terminal is closed', () => closed.length > 0);
      expect(closed).toEqual([abandoned]);
      server.clock.advance(-60_000);
    });

    it('stops when the viewer loses the permission, even if it calls nothing', async () => {
      const { device, agent } = await fakeAgent();
      const { viewer, limited } = await limitedViewer(device);
      const terminalId = await open(viewer, device);
      await print(agent, viewer.connectionId, terminalId, 'before');
      await eventually('the output', () => printed(viewer) === 'before');
      await server.dataSource.query('DELETE FROM permission_assignments WHERE principal_id = $1', [limited.account.id]);
      server.app.get(InvalidationBus).forgetAll();
      await print(agent, viewer.connectionId, terminalId, 'after');
      // The answer to a viewer's call arrives after everything that was sent to it before.
      expect(await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId })).toMatchObject({
        reason: 'Forbidden.',
      });
      expect(printed(viewer)).toBe('before');
    });
  });
});
