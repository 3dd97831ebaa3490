import { createPublicKey, verify } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Writable } from 'node:stream';

import { signedBundleText, type AgentBundle } from '#libs/contracts';

import { messageOf } from '../../platform/common/errors/errors.js';
import type { Clock } from '../../platform/common/runtime/clock.js';
import type { Settings } from '../../platform/config/settings.js';
import { AgentVersion } from '../../devices/agent-updates/agent-version.js';
import { ownBundlePaths, readBundleVersion } from '../../devices/agent-updates/own-bundles.js';
import { OWN_PLATFORMS } from '../../devices/agent-updates/own-platforms.js';
import { PublishedFiles } from '../../devices/agent-updates/published-files.js';
import { publishedPaths, RUNTIMES } from '../../devices/agent-updates/published-paths.js';
import { Area, fault, faultsOr, well, type Finding } from './finding.js';
import { ask } from './probes/ask.js';

const TIMEOUT_MS = 10_000;
/** The DER header of an Ed25519 public key (RFC 8410), before its 32 bytes. */
const SPKI_HEADER = Buffer.from('302a300506032b6570032100', 'hex');

/** Findings about the files that agents are installed from, as they are in the folders of this machine. */
export async function agentFileFindings(settings: Settings, clock: Clock): Promise<readonly Finding[]> {
  const files = new PublishedFiles(settings);
  const own = await Promise.all(OWN_PLATFORMS.map(({ platform }) => ownBundle(files, platform)));
  const others = await publishedBundles(files, clock);
  const names = [...own.flatMap(({ platform, isThere }) => (isThere ? [platform] : [])), ...others.platforms];
  const faults = [...own.flatMap(({ faults: found }) => found), ...others.faults];
  if (names.length === 0 && faults.length === 0) faults.push(fault('agents-missing', 'The server has no agent for any platform.'));
  return faultsOr(faults, well(Area.Agents, `The server has agents for ${names.join(', ')}.`));
}

interface OwnBundle {
  readonly platform: string;
  readonly isThere: boolean;
  readonly faults: readonly Finding[];
}

async function ownBundle(files: PublishedFiles, platform: string): Promise<OwnBundle> {
  const { file } = ownBundlePaths(platform);
  if ((await files.find(file)) === null) return { platform, isThere: false, faults: [] };
  const faults: Finding[] = [];
  if ((await readBundleVersion(files, platform)) === null) {
    faults.push(fault('agent-without-version', `The agent for ${platform} has no version.`));
  }
  const damage = await damageOf(files, file);
  if (damage !== null) faults.push(fault('agent-damaged', `The agent for ${platform} cannot be unpacked: ${damage}.`));
  return { platform, isThere: true, faults };
}

/** The reason why a compressed file cannot be unpacked; null if it can. */
async function damageOf(files: PublishedFiles, path: string): Promise<string | null> {
  const opened = await files.open(path);
  if (opened === null) return null;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    await pipeline(opened.handle.createReadStream(), createGunzip(), nowhere);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Bundles of agents with an installer of their own. */
async function publishedBundles(
  files: PublishedFiles,
  clock: Clock,
): Promise<{ platforms: readonly string[]; faults: readonly Finding[] }> {
  const found = await Promise.all(
    RUNTIMES.map(async (platform) => {
      const { bundle, installer } = publishedPaths(platform);
      return { platform, installer, isBundled: (await files.find(bundle)) !== null, isInstallable: (await files.find(installer)) !== null };
    }),
  );
  const bundled = found.filter(({ isBundled }) => isBundled);
  const faults = bundled
    .filter(({ isInstallable }) => !isInstallable)
    .map(({ platform, installer }) =>
      fault('agent-without-installer', `The agent for ${platform} is published without downloads/${installer}.`),
    );
  if (bundled.length > 0 && (await new AgentVersion(files, clock).current()) === null) {
    faults.push(fault('agent-without-version', 'Agents are published, but downloads/Version.txt has no version of two to four numbers.'));
  }
  return { platforms: bundled.map(({ platform }) => platform), faults };
}

/** Findings about the agents as the service describes and signs them at its address. `key` is the public key of the database. */
export async function agentSignatureFindings(settings: Settings, address: URL, key: Buffer): Promise<readonly Finding[]> {
  const files = new PublishedFiles(settings);
  const found = await Promise.all(
    OWN_PLATFORMS.map(async ({ platform }) => {
      const isComplete = (await files.find(ownBundlePaths(platform).file)) !== null && (await readBundleVersion(files, platform)) !== null;
      return isComplete ? signatureFault(platform, address, key) : null;
    }),
  );
  return found.filter((finding) => finding !== null);
}

async function signatureFault(platform: string, address: URL, key: Buffer): Promise<Finding | null> {
  const { description } = ownBundlePaths(platform);
  const url = new URL(`/downloads/${description}`, address);
  const wrong = (reason: string): Finding => fault('agent-signature', `Agents cannot update from ${url.href}: ${reason}.`);
  try {
    const { status, text } = await ask({ url, timeoutMs: TIMEOUT_MS });
    if (status !== 200) return wrong(`it was answered ${status}`);
    const bundle = JSON.parse(text) as AgentBundle;
    if (bundle.publicKey !== key.toString('base64')) return wrong('it is signed with another key than that of the database');
    const publicKey = createPublicKey({ key: Buffer.concat([SPKI_HEADER, key]), format: 'der', type: 'spki' });
    const isSigned = verify(null, Buffer.from(signedBundleText(bundle)), publicKey, Buffer.from(bundle.signature, 'base64'));
    return isSigned ? null : wrong('the signature does not fit');
  } catch (error) {
    return wrong(messageOf(error));
  }
}
