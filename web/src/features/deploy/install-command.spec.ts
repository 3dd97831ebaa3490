import { describe, expect, it } from 'vitest';

import { commandFor, ownPlatform, platformName } from './install-command.js';

describe('the command that installs an agent', () => {
  const key = { id: 'k1', secret: 's$&1' };
  const nothing = { tagIds: [], instanceId: '' };
  const shell = { script: 'install.sh', command: "SECRET='{keySecret}' sh -s -- --key-id {keyId}" };
  const power = { script: 'install.ps1', command: 'install.ps1 -KeyId {keyId}' };

  it('carries the key', () => {
    expect(commandFor(shell, key, nothing)).toBe("SECRET='s$&1' sh -s -- --key-id k1");
  });

  it('carries tags and the instance as the script takes them', () => {
    const options = { tagIds: ['t1', 't2'], instanceId: 'second' };

    expect(commandFor(shell, key, options)).toBe("SECRET='s$&1' sh -s -- --key-id k1 --tags 't1,t2' --instance second");
    expect(commandFor(power, key, options)).toBe("install.ps1 -KeyId k1 -Tags 't1,t2' -Instance second");
  });

  it('carries no instance that a shell would take for more than a name', () => {
    expect(commandFor(shell, key, { tagIds: [], instanceId: 'x; rm -rf /' })).toBe("SECRET='s$&1' sh -s -- --key-id k1");
  });

  it('is offered for the platform of the browser first', () => {
    const platforms = ['linux-x64', 'osx-arm64', 'win-x64'];

    expect(ownPlatform(platforms, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)')).toBe('win-x64');
    expect(ownPlatform(platforms, 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)')).toBe('osx-arm64');
    expect(ownPlatform(['win-x64'], 'Mozilla/5.0 (X11; Linux x86_64)')).toBe('win-x64');
    expect(ownPlatform([], 'x')).toBeUndefined();
  });

  it('names platforms as people do', () => {
    expect(platformName('osx-arm64')).toBe('macOS ARM64');
    expect(platformName('plan9-mips')).toBe('plan9 mips');
  });
});
