import { randomUUID } from 'node:crypto';

import { viewerHub } from '#libs/contracts';

import { TestViewer } from '../../hubs/viewer-client.js';
import type { LoadedDevice } from './loaded-device.js';
import { type LoadedNodes, repeatedIn } from './loaded-nodes.js';

/** Inputs that are sent without waiting for each other. */
const INPUTS_AT_ONCE = 3;
/** Age at which no input reaches an agent any more, with room for a busy machine, in milliseconds. */
const LATE_MS = 5_500;
/** Longest wait for the answer to an input, at a node that does not stand still itself, with room for a busy machine, in milliseconds. */
const ANSWER_MS = 7_000;

/** A terminal as one connection of its viewer uses it. */
interface Session {
  /** Address of the node of the viewer. */
  readonly url: string;
  readonly viewer: TestViewer;
  readonly terminalId: string;
  /** Times at which the inputs were sent, by the monotonic clock, in milliseconds. */
  readonly sentAt: Map<string, number>;
  readonly acknowledged: string[];
}

/** A viewer that types numbers in a terminal of a device. When its connection has ended, it opens another terminal through another node. */
export class LoadedTerminal {
  private readonly sessions: Session[] = [];
  private readonly slow: string[] = [];
  private last = 0;

  constructor(
    private readonly nodes: Pick<LoadedNodes, 'next' | 'headers' | 'stoodStill'>,
    private readonly device: LoadedDevice,
  ) {}

  /** Types some inputs. True if all were acknowledged. */
  async type(): Promise<boolean> {
    const session = await this.open();
    const typed = await Promise.all(Array.from({ length: INPUTS_AT_ONCE }, () => this.typeOne(session)));
    return typed.every(Boolean);
  }

  async stop(): Promise<void> {
    for (const { viewer } of this.sessions) await viewer.stop();
  }

  /** Number of inputs that were acknowledged. */
  get acknowledged(): number {
    return this.sessions.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  }

  /** True when the viewers that are still connected have everything that the device has printed. */
  get isShown(): boolean {
    return this.sessions.every((session) => this.missingOutputs(session).length === 0);
  }

  faults(): string[] {
    return [...this.slow, ...this.sessions.flatMap((session) => [...this.faultsOfInputs(session), ...this.faultsOfOutputs(session)])];
  }

  private async open(): Promise<Session> {
    const known = this.sessions.at(-1);
    if (known !== undefined && !known.viewer.isClosed) return known;
    const url = this.nodes.next();
    const viewer = await TestViewer.connect({ url }, this.nodes.headers);
    const terminalId = randomUUID();
    const { isSuccess } = await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: this.device.id, terminalId });
    if (!isSuccess) {
      await viewer.stop();
      throw new Error('The terminal was not opened.');
    }
    const session = { url, viewer, terminalId, sentAt: new Map<string, number>(), acknowledged: [] };
    this.sessions.push(session);
    return session;
  }

  private async typeOne({ url, viewer, terminalId, sentAt, acknowledged }: Session): Promise<boolean> {
    this.last += 1;
    const input = String(this.last);
    const begun = performance.now();
    sentAt.set(input, begun);
    const request = { deviceId: this.device.id, input: { terminalId, input, viewerConnectionId: null } };
    const { isSuccess } = await viewer.call(viewerHub.SendTerminalInput2, request);
    if (isSuccess) acknowledged.push(input);
    const took = Math.round(performance.now() - begun);
    if (took > ANSWER_MS && !this.nodes.stoodStill(url, begun)) this.slow.push(`input ${input} was answered after ${took} ms`);
    return isSuccess;
  }

  private faultsOfInputs({ terminalId, sentAt, acknowledged }: Session): string[] {
    const arrived = this.device.inputs.filter((each) => each.terminalId === terminalId);
    const inputs = arrived.map(({ input }) => input);
    const known = new Set(inputs);
    const late = arrived
      .map(({ input, at }) => ({ input, age: Math.round(at - (sentAt.get(input) ?? at)) }))
      .filter(({ age }) => age > LATE_MS);
    return [
      ...acknowledged.filter((input) => !known.has(input)).map((input) => `input ${input} was acknowledged and is lost`),
      ...repeatedIn(inputs).map((input) => `input ${input} has come twice`),
      ...late.map(({ input, age }) => `input ${input} has come after ${age} ms`),
      ...(isAscending(inputs) ? [] : [`inputs have come in the order ${inputs.join()}`]),
    ];
  }

  private faultsOfOutputs(session: Session): string[] {
    const outputs = outputsOf(session);
    return [
      ...this.missingOutputs(session).map((output) => `output ${output} was acknowledged and is lost`),
      ...repeatedIn(outputs).map((output) => `output ${output} has come twice`),
      ...(isAscending(outputs) ? [] : [`outputs have come in the order ${outputs.join()}`]),
    ];
  }

  /** Outputs that the service has taken and this viewer, which was connected all the time, does not have. */
  private missingOutputs(session: Session): readonly string[] {
    if (session.viewer.isClosed) return [];
    const shown = new Set(outputsOf(session));
    return (this.device.printed.get(session.terminalId) ?? []).filter((output) => !shown.has(output));
  }
}

function outputsOf({ viewer, terminalId }: Session): readonly string[] {
  return viewer.outputs.filter((output) => output.terminalId === terminalId).map(({ output }) => output);
}

const isAscending = (numbers: readonly string[]): boolean =>
  numbers.every((number, index) => index === 0 || Number(number) >= Number(numbers[index - 1]));
