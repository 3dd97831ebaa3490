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

/** Paths, below `downloads`, of the bundle of a platform and its signed description. */
export function ownBundlePaths(runtime: string): { readonly file: string; readonly description: string } {
  return { file: `${runtime}/${FILE}`, description: `${runtime}/device-agent.json` };
}

/** The version of the bundle of a platform, without looking for the bundle; null for none, and for one that is no version. */
export async function readBundleVersion(files: PublishedFiles, runtime: string): Promise<string | null> {
  const version = await files.text(`${runtime}/${VERSION_FILE}`, MAXIMUM_VERSION_BYTES);
  return version === null || parseVersion(version) === null ? null : version;
}

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
    const { file: path } = ownBundlePaths(runtime);
    const [file, sha256, version] = await Promise.all([
      this.files.find(path),
      this.digests.sha256(path),
      readBundleVersion(this.files, runtime),
    ]);
    if (file === null || sha256 === null || version === null) {
      throw notFound(`An agent for ${runtime}, as npm run agent:bundle builds it,`);
    }
    const described = { runtime, version, size: file.size, sha256 };
    return { ...described, downloadUrl: `/downloads/${path}`, ...this.key.sign(signedBundleText(described)) };
  }

  /** The version of the bundle of a platform, without reading the bundle; null when there is none. */
  async versionFor(runtime: string): Promise<string | null> {
    const [file, version] = await Promise.all([this.files.find(ownBundlePaths(runtime).file), readBundleVersion(this.files, runtime)]);
    return file === null ? null : version;
  }
}
