import { randomInt } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentBundle } from '#libs/contracts';
import type { RunCommand } from '../commands.js';
import { messageOf } from '../failures.js';
import type { Log } from '../logs/log.js';
import type { Program } from '../service/program.js';
import { downloadBundle } from './download.js';
import { offeredBundle, requireSignature } from './offered-bundle.js';

const PERIOD_MS = 6 * 60 * 60_000;
/** Agents that were connected to a server that was updated come back within seconds; their downloads are spread over this time. */
const DEFAULT_SPREAD_MS = 5 * 60_000;
/** The server may ask all agents at the same time, and none of them knows; their downloads are spread over this time. */
const DEFAULT_DOWNLOAD_SPREAD_MS = 60_000;
/** Most downloads in a period that the agent begins unasked. One that fails each time must not use up the line of the device. */
const DOWNLOADS_PER_PERIOD = 5;
/** Small devices write a bundle to their memory card for minutes. */
const UNPACK_TIMEOUT_MS = 15 * 60_000;

export interface UpdaterOptions {
  readonly program: Program;
  readonly serverUri: string;
  /** The key of the server for bundles, as it was at the installation. */
  readonly pinnedKey: string | undefined;
  readonly log: Log;
  readonly run: RunCommand;
  readonly spreadMs?: number;
  readonly downloadSpreadMs?: number;
  /** Called when a new version is in its place and runs after a restart. */
  onReady(): void;
}

/** Replaces the program by the one that the server offers. The launcher takes it back if it does not come online. */
export class Updater {
  private readonly stopping = new AbortController();
  private checking: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** The check that is to come after the server has accepted a report. */
  private soon: NodeJS.Timeout | undefined;
  private isConfirmed = false;
  /** Downloads since the period began, or the server asked. */
  private downloads = 0;
  /** True once the server has said which bundle it offers. */
  private isAnswered = false;

  constructor(private readonly options: UpdaterOptions) {}

  /** Looks for updates from now on: at once, in each period, and when it is asked. */
  async start(): Promise<void> {
    const { program, log } = this.options;
    this.timer = setInterval(() => {
      this.downloads = 0;
      this.checkSoon();
    }, PERIOD_MS);
    try {
      const failed = await program.takeRolledBack();
      if (failed !== undefined) {
        const what = (await program.isRefused(failed))
          ? `The update ${failed} did not come online, so ${program.version} runs again. It is not tried again.`
          : `The update ${failed} could not reach the server, or the server could not take its reports, so ${program.version} runs again. It is tried again later.`;
        log.error(what, 'rolled back');
      }
    } catch (error) {
      // A folder that cannot be changed is no reason to end the agent.
      log.error('It is not known whether an update was taken back.', error);
    }
    void this.check();
  }

  stop(): void {
    clearInterval(this.timer);
    clearTimeout(this.soon);
    this.stopping.abort();
  }

  /** Called after each attempt to connect or to report. While the server cannot judge this version, the end of a trial says nothing against it. */
  async onAttempt(isJudged: boolean): Promise<void> {
    if (!this.isConfirmed) await this.options.program.noteServer(isJudged);
  }

  /**
   * The server has accepted a report: this version works. Agents that connect again look for updates, and so do those that the server did not
   * answer when they started.
   */
  async onAccepted(): Promise<void> {
    const { program, log } = this.options;
    if (this.isConfirmed) return this.checkSoon();
    this.isConfirmed = true;
    if (await program.confirm()) log.info(`The update ${program.version} is online; the version before it was removed.`);
    await this.checking;
    if (!this.isAnswered) this.checkSoon();
  }

  /** The server asks to look for an update: looks at once, and begins a download after a random wait. */
  async onAsked(): Promise<void> {
    this.downloads = 0;
    return this.check(this.options.downloadSpreadMs ?? DEFAULT_DOWNLOAD_SPREAD_MS);
  }

  /**
   * Looks for an update and installs it, at most `spreadMs` later. A failure is logged. Calls while a check is under way share its result.
   */
  async check(spreadMs = 0): Promise<void> {
    this.checking ??= this.tryCheck(spreadMs).finally(() => (this.checking = undefined));
    return this.checking;
  }

  /** Looks for an update after a random wait. A connection that comes and goes causes one check in that time. */
  private checkSoon(): void {
    if (this.soon !== undefined || this.stopping.signal.aborted) return;
    const spread = this.options.spreadMs ?? DEFAULT_SPREAD_MS;
    this.soon = setTimeout(
      () => {
        this.soon = undefined;
        void this.check();
      },
      spread === 0 ? 0 : randomInt(spread),
    );
  }

  private async tryCheck(spreadMs: number): Promise<void> {
    try {
      const bundle = await offeredBundle(this.options.serverUri, this.stopping.signal);
      this.isAnswered = true;
      if (bundle === undefined || !(await this.isWanted(bundle))) return;
      if (spreadMs > 0) {
        const waitMs = randomInt(spreadMs);
        this.options.log.info(`The download of version ${bundle.version} begins in ${Math.round(waitMs / 1000)} s.`);
        await delay(waitMs, undefined, { signal: this.stopping.signal });
      }
      await this.install(bundle);
    } catch (error) {
      if (!this.stopping.signal.aborted) this.options.log.error(`No update was installed: ${messageOf(error)}`, error);
    }
  }

  private async isWanted(bundle: AgentBundle): Promise<boolean> {
    const { program, pinnedKey, log } = this.options;
    if (bundle.sha256 === program.version || (await program.isOnTrial())) return false;
    const refuse = (why: string): boolean => {
      log.warn(`The server offers version ${bundle.version} (${bundle.sha256}), which is not installed: ${why}`);
      return false;
    };
    if (await program.isRefused(bundle.sha256)) return refuse('it did not come online when it was tried.');
    const again = await program.againAt(bundle.sha256);
    if (again !== undefined && Date.now() < again)
      return refuse(
        `the server could not be reached or take reports when it was tried. It is tried again after ${new Date(again).toISOString()}.`,
      );
    if (this.downloads >= DOWNLOADS_PER_PERIOD)
      return refuse(`${this.downloads} downloads have failed. It is tried again within six hours.`);
    if (!program.isLaunched || process.platform === 'win32') return refuse('nothing would start it. Install the agent again.');
    if (pinnedKey === undefined) return refuse('the key of the server for updates is not known. Install the agent again.');
    requireSignature(bundle, pinnedKey);
    return true;
  }

  private async install(bundle: AgentBundle): Promise<void> {
    const { program, log } = this.options;
    log.info(`Updating to version ${bundle.version} (${bundle.sha256}).`);
    this.downloads += 1;
    // Before the download, which may need their room.
    await program.removeUnused();
    try {
      await this.unpack(bundle);
      if (this.stopping.signal.aborted) return;
      await program.switchTo(bundle.sha256);
    } catch (error) {
      await program.removeUnused();
      throw error;
    }
    log.info(`The update ${bundle.sha256} is in place; the agent restarts.`);
    this.options.onReady();
  }

  /** Downloads a bundle and unpacks it beside this version. */
  private async unpack(bundle: AgentBundle): Promise<void> {
    const { program, serverUri, run } = this.options;
    const archive = join(program.root, 'update.tar.gz');
    const unpacked = program.folderOf(`${bundle.sha256}.new`);
    const target = program.folderOf(bundle.sha256);
    try {
      await downloadBundle(serverUri, bundle, archive, this.stopping.signal);
      await mkdir(unpacked, { mode: 0o755 });
      await run(['tar', '-xzf', archive, '-C', unpacked, '--no-same-owner'], UNPACK_TIMEOUT_MS);
      // Another agent of this machine may run it from the same folder already.
      await rm(target, { recursive: true, force: true });
      await rename(unpacked, target);
    } finally {
      await rm(archive, { force: true });
    }
  }
}
