import { Injectable } from '@nestjs/common';

import { signedBundleText, type AgentBundle } from '#libs/contracts';

import { notFound } from '../../platform/common/errors/errors.js';
import { parseVersion } from '../../platform/common/identifiers/version.js';
import { BundleKey } from './bundle-key.js';
import { FileDigests } from './file-digests.js';
import { PublishedFiles } from './published-files.js';

const FILE = 'device-agent.tar.gz';
const VERSION_FILE = 'device-agent.version';
const MAXIMUM_VERSION_BYTES = 256;

/** The bundles of this project's own agent, signed with the key of this server. */
@Injectable()
export class OwnBundles {
  constructor(
    private readonly files: PublishedFiles,
    private readonly digests: FileDigests,
    private readonly key: BundleKey,
  ) {}

  /** The bundle of a platform such as `linux-x64`; 404 when there is none. */
  async find(runtime: string): Promise<AgentBundle> {
    const path = `${runtime}/${FILE}`;
    const [file, sha256, version] = await Promise.all([this.files.find(path), this.digests.sha256(path), this.versionIn(runtime)]);
    if (file === null || sha256 === null || version === null) {
      throw notFound(`An agent for ${runtime}, as npm run agent:bundle builds it,`);
    }
    const described = { runtime, version, size: file.size, sha256 };
    return { ...described, downloadUrl: `/downloads/${path}`, ...this.key.sign(signedBundleText(described)) };
  }

  /** The version of the bundle of a platform, without reading the bundle; null when there is none. */
  async versionFor(runtime: string): Promise<string | null> {
    const [file, version] = await Promise.all([this.files.find(`${runtime}/${FILE}`), this.versionIn(runtime)]);
    return file === null ? null : version;
  }

  private async versionIn(runtime: string): Promise<string | null> {
    const version = await this.files.text(`${runtime}/${VERSION_FILE}`, MAXIMUM_VERSION_BYTES);
    return version === null || parseVersion(version) === null ? null : version;
  }
}
