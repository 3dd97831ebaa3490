import { platformName } from '../../model/platforms.js';

/** Placeholders in the service's commands for the id and the secret of an installer key. */
const KEY_ID = '{keyId}';
const KEY_SECRET = '{keySecret}';

/** Options that a command passes to the agent besides its server and its key. */
export interface AgentOptions {
  /** Ids of the tags that the device gets when it registers. */
  readonly tagIds: readonly string[];
  /** Name of the agent among several on one device; empty without one. */
  readonly instanceId: string;
}

/** Characters of the name of an instance, as the agent reads it. Nothing in it has a meaning in a shell. */
export const INSTANCE = '[A-Za-z0-9_\\-]{1,50}';
/** The same for agents with an installer of their own, which are often named after the server. */
const INSTANCE_OF_INSTALLER = '[A-Za-z0-9_.\\-]{1,100}';

/** Form in which each kind of script takes the options. */
const OPTIONS: Readonly<Record<string, { readonly tags: string; readonly instance: string; readonly pattern: string }>> = {
  'install.sh': { tags: '--tags', instance: '--instance', pattern: INSTANCE },
  'install.ps1': { tags: '-Tags', instance: '-Instance', pattern: INSTANCE },
  installer: { tags: '--device-tags', instance: '--instance-id', pattern: INSTANCE_OF_INSTALLER },
};

/** The command of a script with a key and options in it. */
export function commandFor(
  { script, command }: { readonly script: string; readonly command: string },
  key: { readonly id: string; readonly secret: string },
  { tagIds, instanceId }: AgentOptions,
): string {
  const names = OPTIONS[script];
  const options = [
    ...(tagIds.length > 0 && names !== undefined ? [` ${names.tags} '${tagIds.join(',')}'`] : []),
    ...(names !== undefined && new RegExp(`^${names.pattern}$`).test(instanceId) ? [` ${names.instance} ${instanceId}`] : []),
  ];
  return command.replaceAll(KEY_ID, () => key.id).replaceAll(KEY_SECRET, () => key.secret) + options.join('');
}

/** Something that can be installed. */
interface Installable {
  readonly platform: string;
  readonly brand: string | null;
}

/** Name of an installable in the address of the page: an agent of this service is named by its platform. */
export function choiceOf({ platform, brand }: Installable): string {
  return brand === null ? platform : `${platform}-installer`;
}

/** Display name of an installable: `Linux x64`, and with the brand for agents that are not those of this service. */
export function installableName({ platform, brand }: Installable): string {
  return brand === null ? platformName(platform) : `${platformName(platform)} (${brand})`;
}

/** The platform that a browser runs on, among those that are offered; else the first. */
export function ownPlatform(platforms: readonly string[], userAgent: string): string | undefined {
  const system = /Windows/.test(userAgent) ? 'win' : /Mac OS/.test(userAgent) ? 'osx' : 'linux';
  return platforms.find((platform) => platform.startsWith(system)) ?? platforms[0];
}
