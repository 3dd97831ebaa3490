import { setTimeout as delay } from 'node:timers/promises';
import { chatFolder, Chats } from './chat/chats.js';
import { SYSTEM_CLOCKS, type Clocks } from './clock.js';
import { runCommand, type RunCommand } from './commands.js';
import { DEFAULT_JITTER_SECONDS, LASTING_CONNECTION_MS, reconnectDelay } from './connection/back-off.js';
import { Gate } from './connection/gate.js';
import { HubLink } from './connection/hub-link.js';
import { isServerAway } from './connection/server-away.js';
import { AGENT_FEATURES, agentHub, type DeviceUpdateRequestDto } from '#libs/contracts';
import type { DataDirectory } from './data-directory.js';
import { Desktops } from './desktop/desktops.js';
import { DeviceKey } from './device-key.js';
import { messageOf, RefusedError } from './failures.js';
import { clearTemporaryFolder } from './files/sending.js';
import { UnfinishedUploads } from './files/unfinished-uploads.js';
import { agentHandlers } from './handlers.js';
import { DEFAULT_HEARTBEAT_SECONDS, Heartbeat } from './heartbeat.js';
import { readInventory, type DeviceIdentity } from './inventory/device-inventory.js';
import type { InventoryReading } from './inventory/report/inventory-parts.js';
import { AGAIN_AFTER_MS, FIRST_WITHIN_MS, InventoryReports } from './inventory/report/inventory-reports.js';
import type { Log } from './logs/log.js';
import { changePowerState } from './power.js';
import { RemoteControlSessions } from './remote-control/sessions.js';
import { claimDataDirectory } from './service/running-agents.js';
import { closeToOthers, readSettings, requireSafeTransport, SettingsError, writeSettings, type AgentSettings } from './settings.js';
import { TerminalSessions } from './terminal/terminal-sessions.js';
import { VncSessions } from './vnc.js';

/** Replaces the program of the agent by a later one. */
interface Updates {
  /** After each attempt to connect and each refused report. False if the server could not judge this version, whatever it would have said. */
  onAttempt(isJudged: boolean): Promise<void>;
  /** The server has accepted a report. */
  onAccepted(): Promise<void>;
  /** The server asks to look for an update. */
  onAsked(): Promise<void>;
}

export interface AgentOptions {
  readonly directory: DataDirectory;
  readonly log: Log;
  readonly heartbeatSeconds?: number;
  /** The random part of the wait before a reconnect. */
  readonly reconnectJitterSeconds?: number;
  /** Longest wait before the first report of the inventory. */
  readonly inventoryWithinMs?: number;
  /** Wait before the inventory is reported again after a failure, and as much again at random, in milliseconds. */
  readonly inventoryAgainAfterMs?: number;
  readonly readFullInventory?: () => Promise<InventoryReading | undefined>;
  readonly clocks?: Clocks;
  readonly runCommand?: RunCommand;
  /** Options of Node.js for programs of their own that the agent starts from its files. */
  readonly nodeOptions?: readonly string[];
  readonly readInventory?: (identity: DeviceIdentity) => Promise<DeviceUpdateRequestDto>;
  /** Undefined if the agent was not installed from a bundle. */
  readonly updates?: Updates;
  /** Removes the agent from this machine when the server asks for it. */
  readonly uninstall?: (reason: string) => Promise<void>;
}

/** A device's agent: connects, reports, and serves the server's calls until it is stopped. */
export class Agent {
  private readonly stopping = new AbortController();
  private readonly link: HubLink;
  private readonly terminals: TerminalSessions;
  private readonly chats: Chats;
  private readonly heartbeat: Heartbeat;
  private readonly inventories: InventoryReports;
  /** Open from the first heartbeat that the server accepts until the connection ends: then the server takes what is sent. */
  private readonly accepted = new Gate();
  private readonly clocks: Clocks;
  private connectedAt = 0;
  /** Connections in a row that did not last. */
  private shortConnections = 0;
  private connecting: Promise<void> = Promise.resolve();
  private stopped: Promise<void> | undefined;

  private constructor(
    private settings: AgentSettings,
    key: DeviceKey,
    private readonly options: AgentOptions,
    private readonly releaseDirectory: () => Promise<void>,
  ) {
    const { log } = options;
    this.clocks = options.clocks ?? SYSTEM_CLOCKS;
    const inventory = options.readInventory ?? readInventory;
    this.link = new HubLink(settings.serverUri, log);
    this.terminals = new TerminalSessions(async (viewerConnectionId, output) => {
      // While the server cannot take output, the output waits and the program that prints it is paused. Nothing is lost.
      await this.accepted.passed();
      await this.link.invoke(agentHub.SendTerminalOutputToViewer, [viewerConnectionId, output]);
    }, log);
    const desktops = new Desktops();
    this.chats = new Chats({
      desktops,
      log,
      folder: chatFolder(options.directory, settings.deviceId),
      send: async (response) => {
        await this.accepted.passed();
        return this.link.invoke(agentHub.SendChatResponse, [response]);
      },
    });
    const source = {
      key,
      clocks: this.clocks,
      serverUri: settings.serverUri,
      stopped: this.stopping.signal,
      readInventory: async () => inventory(this.settings),
      adoptDeviceId: async (deviceId: string) => this.adoptDeviceId(deviceId),
      onAccepted: () => this.onAccepted(),
      onRefused: (isJudged: boolean) => void this.noteAttempt(isJudged),
    };
    const periodSeconds = options.heartbeatSeconds ?? DEFAULT_HEARTBEAT_SECONDS;
    this.heartbeat = new Heartbeat(this.link, source, { periodSeconds, retryDelay: (failures) => this.reconnectDelay(failures) }, log);
    this.inventories = new InventoryReports({
      link: this.link,
      log,
      firstWithinMs: options.inventoryWithinMs ?? FIRST_WITHIN_MS,
      againAfterMs: options.inventoryAgainAfterMs ?? AGAIN_AFTER_MS,
      deviceId: () => this.settings.deviceId,
      // Loaded when it is needed, once a day.
      read: options.readFullInventory ?? (async () => (await import('./inventory/report/read-inventory.js')).readFullInventory()),
    });
    this.link.serve(
      agentHandlers({
        link: this.link,
        log,
        directory: options.directory,
        terminals: this.terminals,
        desktops,
        chats: this.chats,
        vnc: new VncSessions(settings, log, this.stopping.signal),
        remoteControl: new RemoteControlSessions(desktops, settings.serverUri, log, this.stopping.signal, options.nodeOptions),
        stopped: this.stopping.signal,
        sendHeartbeat: async () => this.heartbeat.beat(),
        checkForUpdate: async () => this.checkForUpdate(),
        reportInventory: async () => this.inventories.report(),
        changePowerState: async (change) => {
          if (this.settings.allowPower === false) throw new RefusedError('The settings of this agent do not allow power changes.');
          await changePowerState(change, options.runCommand ?? runCommand);
        },
        uninstall: async (reason) => this.uninstall(reason),
      }),
    );
    this.link.onClose((error) => this.onDisconnected(error));
  }

  /**
   * Starts the agent of the settings in the directory; it goes on connecting until it is stopped.
   * @throws SettingsError when there are no usable settings, or they name a server that cannot be reached safely
   * @throws RunningAgentError when an agent runs on the directory already
   */
  static async start(options: AgentOptions): Promise<Agent> {
    const settings = await readSettings(options.directory);
    if (settings === undefined) {
      throw new SettingsError(`There are no settings in ${options.directory.root}. Run "device-agent install" first.`);
    }
    requireSafeTransport(settings.serverUri, settings.allowHttp === true);
    if (await closeToOthers(options.directory)) {
      options.log.warn(
        'Other accounts of this machine could read the settings and the key in them. Install the agent again to make a new key.',
      );
    }
    const key = await DeviceKey.fromBase64(settings.privateKey);
    const releaseDirectory = await claimDataDirectory(options.directory);
    await clearTemporaryFolder(options.directory.temporary).catch((error: unknown) =>
      options.log.error('What an earlier run has left could not be removed.', error),
    );
    await new UnfinishedUploads(options.directory.uploads).clear(options.log);
    const agent = new Agent(settings, key, options, releaseDirectory);
    options.log.info(`Agent of device ${settings.deviceId} starts; server ${settings.serverUri}.`);
    agent.connecting = agent.connectAfter(0);
    return agent;
  }

  get deviceId(): string {
    return this.settings.deviceId;
  }

  /** Resolves when the agent has been stopped, by `stop` or on the server's demand. */
  async untilStopped(): Promise<void> {
    const { signal } = this.stopping;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }

  /** Ends terminals, sessions and the connection. A second call does nothing more. */
  async stop(): Promise<void> {
    return (this.stopped ??= this.shutDown());
  }

  private async shutDown(): Promise<void> {
    this.stopping.abort();
    this.heartbeat.stop();
    this.inventories.close();
    this.terminals.closeAll();
    await this.chats.closeAll();
    await this.link.close();
    await this.connecting;
    await this.releaseDirectory();
    this.options.log.info('The agent has stopped.');
  }

  /** Connects after a wait, in milliseconds, and after each failure once more after a longer one. */
  private async connectAfter(waitMs: number): Promise<void> {
    const { log } = this.options;
    for (let attempt = this.shortConnections + 1; ; attempt++) {
      await this.wait(waitMs);
      if (this.stopping.signal.aborted) return;
      waitMs = this.reconnectDelay(attempt);
      try {
        await this.link.connect();
        this.connectedAt = this.clocks.monotonic();
        void this.noteAttempt(true);
        log.info(`Connected to ${this.settings.serverUri}.`);
        this.offerFeatures();
        await this.heartbeat.start();
        return;
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        log.warn(`Connecting failed: ${messageOf(error)}`);
        await this.noteAttempt(!isServerAway(error));
      }
    }
  }

  private async noteAttempt(isJudged: boolean): Promise<void> {
    await this.options.updates
      ?.onAttempt(isJudged)
      .catch((error: unknown) => this.options.log.error('An attempt to connect or to report could not be recorded.', error));
  }

  /** Before the first report, so that the server knows the features of every device that is online. It need not know the method. */
  private offerFeatures(): void {
    this.link
      .invoke(agentHub.OfferFeatures, [[...AGENT_FEATURES]])
      .catch((error: unknown) => this.options.log.info(`The server takes no list of features: ${messageOf(error)}`));
  }

  private onAccepted(): void {
    if (this.accepted.isOpen) return;
    this.accepted.open();
    this.inventories.open();
    this.options.updates?.onAccepted().catch((error: unknown) => this.options.log.error('The update could not be completed.', error));
  }

  private async checkForUpdate(): Promise<void> {
    if (this.options.updates !== undefined) return this.options.updates.onAsked();
    this.options.log.info('This agent was not installed from a bundle and does not update itself.');
  }

  private onDisconnected(error: Error | undefined): void {
    this.heartbeat.stop();
    this.inventories.close();
    this.accepted.close();
    if (this.stopping.signal.aborted) return;
    const hasLasted = this.clocks.monotonic() - this.connectedAt >= LASTING_CONNECTION_MS;
    this.shortConnections = hasLasted ? 0 : this.shortConnections + 1;
    // This wait has jitter too, because all agents of a server lose it at the same time.
    const waitMs = this.reconnectDelay(this.shortConnections);
    const reason = error === undefined ? '' : `: ${error.message}`;
    this.options.log.warn(`The connection was lost${reason}. Reconnecting in ${Math.round(waitMs / 1000)} s.`);
    this.connecting = this.connectAfter(waitMs);
  }

  private reconnectDelay(attempt: number): number {
    return reconnectDelay(attempt, this.options.reconnectJitterSeconds ?? DEFAULT_JITTER_SECONDS);
  }

  /** Returns early, without an error, when the agent stops. */
  private async wait(milliseconds: number): Promise<void> {
    const { signal } = this.stopping;
    await delay(milliseconds, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  private async adoptDeviceId(deviceId: string): Promise<void> {
    this.options.log.info(`The server knows this device as ${deviceId}.`);
    this.settings = { ...this.settings, deviceId };
    await writeSettings(this.options.directory, this.settings);
  }

  private async uninstall(reason: string): Promise<void> {
    this.options.log.warn(`The server asks to uninstall this agent: ${reason}`);
    if (this.options.uninstall === undefined)
      throw new RefusedError('This agent was not installed as a program and cannot uninstall itself.');
    await this.options.uninstall(reason);
    await this.stop();
  }
}
