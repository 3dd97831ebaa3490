/** The bundle of this project's own agent that a server offers for one platform. Answered over HTTP as JSON. */
export interface AgentBundle {
  /** For example `linux-x64`; see {@link bundlePlatform}. */
  readonly runtime: string;
  /** Four numbers with dots. */
  readonly version: string;
  /** Path on the server. */
  readonly downloadUrl: string;
  /** In bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** The server's Ed25519 key for bundles: standard base64 of 32 bytes. */
  readonly publicKey: string;
  /** Standard base64 of 64 bytes over {@link signedBundleText}. */
  readonly signature: string;
}

/** The text that the signature of a bundle covers, in UTF-8. The first line keeps the signature from meaning anything else. */
export function signedBundleText({ runtime, version, size, sha256 }: Omit<AgentBundle, 'downloadUrl' | 'publicKey' | 'signature'>): string {
  return `device-agent bundle\n${runtime}\n${version}\n${size}\n${sha256}\n`;
}

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'osx', win32: 'win' };

/** The name of a platform in paths of bundles, from the words of Node.js: `linux`, `x64` is `linux-x64`. */
export function bundlePlatform(platform: string, architecture: string): string {
  return `${SYSTEMS[platform] ?? platform}-${architecture}`;
}
