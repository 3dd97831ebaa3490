import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';

import { bundlePlatform } from '#libs/contracts';

import { messageOf } from '../../platform/common/errors/errors.js';
import { OwnBundles } from '../agent-updates/own-bundles.js';
import { OWN_PLATFORMS } from '../agent-updates/own-platforms.js';
import { BundleBuilder } from './bundle-builder.js';

/** State of the bundle of a platform at this process. */
export type BundleState = 'Available' | 'Missing' | 'Waiting' | 'Building' | 'Failed';

/** A platform that was asked for, with its reason once it has failed. */
type Build = { readonly state: 'Waiting' | 'Building' } | { readonly state: 'Failed'; readonly failure: string };

/** The bundle of a platform: its version if there is one, and the last build's reason if that has failed. */
export interface BundleStatus {
  readonly platform: string;
  readonly state: BundleState;
  readonly version: string | null;
  readonly failure: string | null;
}

/** The builds of bundles that this process does: one after another, each platform once at a time. */
@Injectable()
export class BundleBuilds implements OnApplicationShutdown {
  private readonly logger = new Logger('BundleBuilds');
  private readonly builds = new Map<string, Build>();
  private last: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly bundles: OwnBundles,
    private readonly builder: BundleBuilder,
  ) {}

  /** The bundle of a platform as it is now. */
  async status(platform: string): Promise<BundleStatus> {
    const version = await this.bundles.versionFor(platform);
    const build = this.builds.get(platform);
    const state = build?.state ?? (version === null ? 'Missing' : 'Available');
    return { platform, state, version, failure: build?.state === 'Failed' ? build.failure : null };
  }

  /** Begins to build the bundle of this machine's own platform, unless there is one, or none can be built here. */
  async ensureOwn(): Promise<void> {
    const own = bundlePlatform(process.platform, process.arch);
    if (!OWN_PLATFORMS.some(({ platform }) => platform === own) || (await this.bundles.versionFor(own)) !== null) return;
    if (await this.builder.isAvailable()) this.begin(own);
  }

  /** Puts a platform at the end of the queue. Returns false if it is built or waits already. */
  begin(platform: string): boolean {
    if (this.isUnderWay(platform)) return false;
    this.builds.set(platform, { state: 'Waiting' });
    this.last = this.last.then(() => this.build(platform));
    return true;
  }

  /** Ends the build that runs, and begins none of those that wait. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.builder.stop();
    await this.last;
  }

  private isUnderWay(platform: string): boolean {
    const state = this.builds.get(platform)?.state;
    return state === 'Waiting' || state === 'Building';
  }

  private async build(platform: string): Promise<void> {
    if (this.isStopping) return;
    this.builds.set(platform, { state: 'Building' });
    this.logger.log(`Building the bundle of the agent for ${platform}.`);
    try {
      await this.builder.build(platform);
      this.builds.delete(platform);
      this.logger.log(`Built the bundle of the agent for ${platform}. Deploy offers it.`);
    } catch (error) {
      if (this.isStopping) return;
      const failure = messageOf(error);
      this.builds.set(platform, { state: 'Failed', failure });
      this.logger.warn({ message: 'The bundle of the agent could not be built.', platform, reason: failure });
    }
  }
}
