import { BatchedCalls } from './batched-calls.js';
import type { ShareBounds } from './calls-under-way.js';
import { type Carrier, type CarrierListener, type Heard, type ServerOfLine, SUBJECTS } from './carrier.js';
import type { NodeCalls, NodeMethodHandlers, NodeMethods } from './node-calls.js';
import type { CallOutcome, NodeMetrics } from './node-metrics.js';
import { NodePresence } from './node-presence.js';
import { type Changed, readChanged, readHere, readToast, type Toast, writeChanged, writeHere, writeToast } from './signals.js';

/** Interval at which a node says that it is there, in milliseconds. */
const HERE_INTERVAL_MS = 1_000;

/** The node as its line sees it: what it tells the line, and is told. */
export interface LineOwner {
  readonly id: string;
  /** The database's clock, in milliseconds. */
  databaseTime(): number;
  /** True while this node serves; false once it is about to stop. */
  isServing(): boolean;
  /** Devices have changed at another node: their ids, or all. */
  changed(ids: Changed['ids']): void;
  toasted(toast: Toast): void;
  /** The line is there after a gap in which signals were lost. */
  mended(): void;
  /** Signals of changes at another node were lost, although the line was there. */
  missed(): void;
  /** A message that no node of this release sends, by its kind. */
  refused(kind: string): void;
  readonly metrics?: Pick<NodeMetrics, 'called' | 'sent'>;
}

/** This node's line to the others: calls with one receiver, signals to all, and the presence of each. */
export class NodeLine<Methods extends NodeMethods> implements CarrierListener {
  private readonly batched: BatchedCalls<Methods>;
  private readonly presence: NodePresence;
  private readonly startedAt = performance.now();
  private carrier: Carrier | null = null;
  private timer: NodeJS.Timeout | null = null;
  private wasUp = false;
  /** Number of this node's connection to the carrier. */
  private lines = 0;
  /** Number of this node's last signal of changes. */
  private signals = 0;
  private saidAt = 0;
  /** Time of this node's own word to NATS and back, in milliseconds; null before it was heard. */
  roundTripMs: number | null = null;

  constructor(
    private readonly owner: LineOwner,
    handlers: Partial<NodeMethodHandlers<Methods>>,
    bounds?: ShareBounds,
  ) {
    this.presence = new NodePresence(owner.id, this.startedAt);
    const own = {
      id: owner.id,
      databaseTime: () => owner.databaseTime(),
      reaches: (nodeId: string) => this.presence.reaches(nodeId, performance.now()),
      refused: (kind: string) => owner.refused(kind),
      called: (method: string, outcome: CallOutcome, milliseconds: number) => owner.metrics?.called(method, outcome, milliseconds),
      batched: (parts: number) => owner.metrics?.sent(parts),
    };
    const way = { isUp: () => this.isUp, publish: (...message: Parameters<Carrier['publish']>) => this.carrier?.publish(...message) };
    this.batched = new BatchedCalls(own, way, handlers, bounds);
  }

  /** Opens the line. `connect` makes the carrier that this line listens to. */
  async open(connect: (listener: CarrierListener) => Promise<Carrier>): Promise<void> {
    this.carrier = await connect(this);
    this.sayHere();
    this.timer = setInterval(() => this.look(), HERE_INTERVAL_MS).unref();
  }

  async close(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.carrier?.close();
    this.batched.allLost();
  }

  get calls(): NodeCalls<Methods> {
    return this.batched;
  }

  /** True while other nodes are reached: the carrier is there, and brings back what this node says. */
  get isUp(): boolean {
    return this.carrier?.isUp() === true && this.presence.isHeardByItself(performance.now());
  }

  /** False for a node that was heard, and is not any more, while others could be. */
  reaches(nodeId: string): boolean {
    return !this.isUp || this.presence.reaches(nodeId, performance.now());
  }

  /** The server of the carrier; null while it is away. */
  get server(): ServerOfLine | null {
    return this.carrier?.server() ?? null;
  }

  /** The other nodes that were heard recently. */
  get heardNodes(): readonly string[] {
    return this.presence.heard(performance.now());
  }

  /** Milliseconds since each node was heard for the last time, this one among them. */
  get silences(): ReadonlyMap<string, number> {
    return this.presence.silences(performance.now());
  }

  /** Tells all other nodes which devices have changed. Lost while the carrier is away. */
  signal(ids: Changed['ids']): void {
    this.signals += 1;
    this.carrier?.publish(SUBJECTS.changed, writeChanged({ nodeId: this.owner.id, ids, number: this.signals }));
  }

  /** Shows those who watch a device at other nodes a message about it. Lost while the carrier is away. */
  toast(toast: Omit<Toast, 'nodeId'>): void {
    this.carrier?.publish(SUBJECTS.toast, writeToast({ ...toast, nodeId: this.owner.id }));
  }

  message(heard: Heard): void {
    const { subject, payload } = heard;
    if (subject === SUBJECTS.node(this.owner.id)) this.batched.heardCalls(heard);
    else if (subject.startsWith(SUBJECTS.answer(this.owner.id, 0).slice(0, -1))) this.batched.heardAnswers(heard);
    else if (subject === SUBJECTS.here) this.heardHere(payload);
    else if (subject === SUBJECTS.changed) this.told('changed', readChanged(payload), (changed) => this.heardChanged(changed));
    else if (subject === SUBJECTS.toast) this.told('toast', readToast(payload), (toast) => this.owner.toasted(toast));
  }

  nobody(reply: string): void {
    this.batched.nobody(reply);
  }

  up(): void {
    this.lines += 1;
    this.presence.forgetLines();
    this.presence.excuseAll(performance.now());
    this.sayHere();
    this.owner.mended();
  }

  down(): void {
    this.batched.allLost();
  }

  /** Passes a signal on. A node hears its own as well. */
  private told<T extends { readonly nodeId: string }>(kind: string, value: T | null, tell: (value: T) => void): void {
    if (value === null) this.owner.refused(kind);
    else if (value.nodeId !== this.owner.id) tell(value);
  }

  private heardHere(payload: Uint8Array): void {
    const here = readHere(payload);
    if (here?.nodeId === this.owner.id) this.roundTripMs = performance.now() - this.saidAt;
    if (here === null || !this.presence.hear(here.nodeId, performance.now())) return this.owner.refused('here');
    // The carrier has cut it off, and dropped what was on its way to it. Its words may have come without a gap.
    if (this.presence.hasNewLine(here.nodeId, here.line)) this.batched.lost(here.nodeId);
    if (here.nodeId !== this.owner.id && this.presence.missesSignal(here.nodeId, here.signals)) this.owner.missed();
  }

  private heardChanged({ nodeId, ids, number }: Changed): void {
    if (this.presence.missesSignalBefore(nodeId, number)) this.owner.missed();
    this.owner.changed(ids);
  }

  private look(): void {
    const unheard = this.presence.look(performance.now(), HERE_INTERVAL_MS);
    for (const nodeId of unheard) this.batched.lost(nodeId);
    const { isUp } = this;
    if (this.wasUp && !isUp) this.batched.allLost();
    this.wasUp = isUp;
    this.sayHere();
  }

  private sayHere(): void {
    this.saidAt = performance.now();
    const here = {
      nodeId: this.owner.id,
      isServing: this.owner.isServing(),
      sinceStartMs: performance.now() - this.startedAt,
      line: this.lines,
      signals: this.signals,
    };
    this.carrier?.publish(SUBJECTS.here, writeHere(here));
  }
}
