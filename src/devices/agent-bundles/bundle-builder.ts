import { spawn, type ChildProcess } from 'node:child_process';
import { access, mkdir, rm } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Injectable } from '@nestjs/common';

import { hasCode } from '../../platform/common/errors/system-error.js';
import { Settings } from '../../platform/config/settings.js';
import { endGroup } from './end-group.js';

/** The compiled `npm run agent:bundle`, beside the compiled service. */
const PROGRAM = fileURLToPath(new URL('../../../agent/bundle/main.js', import.meta.url));
/** Folder of the project when the service runs from its `dist`. */
const PROJECT = fileURLToPath(new URL('../../../..', import.meta.url));
/** The files that a build reads besides the compiled ones. An image of the service has neither. */
const SOURCES = ['package-lock.json', 'agent/bundle/install.sh'];

/** Time-out of a build, in milliseconds. It fetches a Node.js and packages of some 60 MB. */
const BUILD_MS = 30 * 60_000;
/** Time in which a build that is told to end does so, in milliseconds. */
const GRACE_MS = 5_000;
/** Characters of the builder's last words that are kept for its failure. */
const MAXIMUM_FAILURE = 2_000;
const STOPPED = 'The build was stopped.';

/** Variables that Node.js and npm need. The others may hold secrets of the service. */
const PASSED_ON =
  /^(path|home|user|lang|lc_\w+|npm_config_\w+|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_\w+|systemroot|comspec|pathext|appdata|localappdata|userprofile|programdata|programfiles)$/i;

/** The bundle could not be built. The message is for those who run the server. */
class BundleBuildError extends Error {
  override readonly name = 'BundleBuildError';
}

/** Builds a bundle of the agent in a process of its own, behind the service's work. */
@Injectable()
export class BundleBuilder {
  private running: ChildProcess | undefined;
  private isStopped = false;

  constructor(private readonly settings: Settings) {}

  /** True if the sources of bundles are beside the service, as in a checkout. */
  async isAvailable(): Promise<boolean> {
    try {
      await Promise.all([PROGRAM, ...SOURCES.map((path) => join(PROJECT, path))].map((path) => access(path)));
      return true;
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return false;
      throw error;
    }
  }

  /**
   * Builds the bundle of a platform into the configured folder. One at a time.
   * @throws BundleBuildError with the builder's last words when it fails, is stopped, or takes longer than half an hour
   */
  async build(platform: string): Promise<void> {
    // What an interrupted build left is removed with the folder.
    const temporary = join(this.settings.dataPath, 'agent-bundle-build');
    await rm(temporary, { recursive: true, force: true });
    await mkdir(temporary, { recursive: true });
    try {
      if (this.isStopped) throw new BundleBuildError(STOPPED);
      await this.run(platform, temporary);
    } finally {
      await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** Ends the build that runs, and begins no other. */
  stop(): void {
    this.isStopped = true;
    if (this.running !== undefined) endGroup(this.running, GRACE_MS);
  }

  private run(platform: string, temporary: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [PROGRAM, '--only', platform, '--output', this.settings.agentBundle.folder], {
        cwd: temporary,
        env: { ...passedOn(), TMPDIR: temporary, TMP: temporary, TEMP: temporary },
        stdio: ['ignore', 'ignore', 'pipe'],
        // A group of its own, so that its end is npm's, too.
        detached: process.platform !== 'win32',
      });
      this.running = child;
      yieldTo(child);
      let lastWords = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (lastWords = (lastWords + text).slice(-MAXIMUM_FAILURE)));
      let isLate = false;
      const deadline = setTimeout(() => {
        isLate = true;
        endGroup(child, GRACE_MS);
      }, BUILD_MS);
      const settle = (error?: Error): void => {
        clearTimeout(deadline);
        this.running = undefined;
        if (error === undefined) resolve();
        else reject(error);
      };
      child.once('error', (error) => settle(new BundleBuildError(error.message, { cause: error })));
      child.once('close', (code) => {
        if (code === 0) return settle();
        const reason = isLate ? `The build took longer than ${BUILD_MS / 60_000} minutes.` : lastWords.trim();
        settle(new BundleBuildError(reason === '' ? STOPPED : reason));
      });
    });
  }
}

function passedOn(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
}

/** Lets the service and its database go first. */
function yieldTo({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch (error) {
    // It may have ended.
    if (!hasCode(error, 'ERR_SYSTEM_ERROR')) throw error;
  }
}
