import { randomUUID } from 'node:crypto';

import { ApiClient } from '../../support/application/api-client.js';
import { registerKeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { LoadedDevice } from './loaded-device.js';
import { LoadedFiles } from './loaded-files.js';
import type { LoadedNodes } from './loaded-nodes.js';
import { LoadedTags } from './loaded-tags.js';
import { LoadedTerminal } from './loaded-terminal.js';
import { Repetition } from './repetition.js';

/** Devices with a terminal, uploads and downloads each. */
const DEVICES = 3;
/** Longest wait for the load to go on after a fault, in milliseconds. */
const GO_ON_MS = 120_000;

/**
 * Work on nodes without a pause: reports of devices, terminals, files and writes, each through any node. It notes what was acknowledged,
 * and finds what is lost, late or there twice.
 */
export class Load {
  private readonly devices: LoadedDevice[] = [];
  private readonly terminals: LoadedTerminal[] = [];
  private readonly files: LoadedFiles[] = [];
  private readonly tags: LoadedTags;
  private readonly repetitions: Repetition[] = [];

  private constructor(private readonly nodes: LoadedNodes) {
    // Names of their own: those of a former load are taken.
    this.tags = new LoadedTags(nodes, `tag ${randomUUID()}`);
  }

  /** Begins. All nodes must serve. */
  static async begin(nodes: LoadedNodes): Promise<Load> {
    const load = new Load(nodes);
    const client = new ApiClient(nodes.next(), nodes.headers);
    for (let index = 0; index < DEVICES; index += 1) {
      load.addDevice(new LoadedDevice(nodes, await registerKeyedDevice(client, nodes.enrolment)));
    }
    load.add('tags', (number) => load.tags.create(number));
    await load.progress(1);
    return load;
  }

  /** Waits until so many more pieces of each work were acknowledged. */
  async progress(count: number): Promise<void> {
    const goals = this.repetitions.map(({ done }) => done + count);
    const behind = (): string[] => this.repetitions.filter(({ done }, index) => done < goals[index]).map(({ name }) => name);
    try {
      await eventually('the load goes on', () => behind().length === 0, GO_ON_MS);
    } catch (error) {
      throw new Error(`These do not go on: ${behind().join(', ')}`, { cause: error });
    }
  }

  /** Number of acknowledged pieces of each kind of work. */
  get acknowledged(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { name, done } of this.repetitions) counts[kindOf(name)] = (counts[kindOf(name)] ?? 0) + done;
    return { ...counts, inputs: this.terminals.reduce((sum, { acknowledged }) => sum + acknowledged, 0) };
  }

  /** Ends the work, and returns what is lost, late or there twice. All nodes must serve. */
  async end(): Promise<string[]> {
    await Promise.all(this.repetitions.map((repetition) => repetition.stop()));
    await Promise.all(this.devices.map((device) => device.untilPrinted()));
    // What does not come is named by `faults`.
    await eventually('all outputs are shown', () => this.terminals.every(({ isShown }) => isShown), 5_000).catch(() => undefined);
    return this.faults();
  }

  async stop(): Promise<void> {
    await Promise.all(this.repetitions.map((repetition) => repetition.stop()));
    for (const terminal of this.terminals) await terminal.stop();
    for (const device of this.devices) await device.stop();
  }

  private async faults(): Promise<string[]> {
    const client = new ApiClient(this.nodes.next(), this.nodes.headers);
    const { tenantId } = this.nodes.enrolment;
    const tags = (await client.get('/api/v1/tags', { query: { tenantId } })).as<{ items: { name: string }[] }>();
    const faults = [...this.tags.faults(tags.items.map(({ name }) => name)), ...this.terminals.flatMap((each) => each.faults())];
    for (const each of this.files) faults.push(...each.faults());
    for (const device of this.devices) {
      const { name } = (await client.get(`/api/devices/${device.id}`)).as<{ name: string }>();
      faults.push(...device.faultsOfReports(name));
    }
    return faults;
  }

  private addDevice(device: LoadedDevice): void {
    const number = this.devices.push(device);
    const terminal = new LoadedTerminal(this.nodes, device);
    const files = new LoadedFiles(this.nodes, device);
    this.terminals.push(terminal);
    this.files.push(files);
    this.add(`reports ${number}`, (report) => device.report(report));
    this.add(`terminal ${number}`, () => terminal.type());
    this.add(`uploads ${number}`, (file) => files.upload(file));
    this.add(`downloads ${number}`, (file) => files.download(file));
  }

  private add(name: string, act: (number: number) => Promise<boolean>): void {
    this.repetitions.push(new Repetition(name, act));
  }
}

const kindOf = (name: string): string => name.split(' ', 1)[0];
