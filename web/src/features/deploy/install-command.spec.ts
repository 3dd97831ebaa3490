import { describe, expect, it } from 'vitest';

import { choiceOf, commandFor, installableName, ownPlatform } from './install-command.js';
import { platformName } from '../../model/platforms.js';

describe('the command that installs an agent', () => {
  const key = { id: 'k1', secret: 's$&1' };
  const nothing = { tagIds: [], instanceId: '' };
  const shell = { script: 'install.sh', command: "SECRET='{keySecret}' sh -s -- --key-id {keyId}" };
  const power = { script: 'install.ps1', command: 'install.ps1 -KeyId {keyId}' };

  it('puts the key into the command', () => {
    expect(commandFor(shell, key, nothing)).toBe("SECRET='s$&1' sh -s -- --key-id k1");
  });

  it('passes tags and the instance in the form that the script takes', () => {
    const options = { tagIds: ['t1', 't2'], instanceId: 'second' };

    expect(commandFor(shell, key, options)).toBe("SECRET='s$&1' sh -s -- --key-id k1 --tags 't1,t2' --instance second");
    expect(commandFor(power, key, options)).toBe("install.ps1 -KeyId k1 -Tags 't1,t2' -Instance second");
  });

  it('passes tags and the instance in the form that the installer of another agent takes', () => {
    const installer = { script: 'installer', command: "x install --installer-key-id {keyId} --installer-key-secret '{keySecret}'" };
    const options = { tagIds: ['t1', 't2'], instanceId: 'devices.example.org' };

    expect(commandFor(installer, key, options)).toBe(
      "x install --installer-key-id k1 --installer-key-secret 's$&1' --device-tags 't1,t2' --instance-id devices.example.org",
    );
    expect(commandFor(shell, key, { ...options, tagIds: [] })).not.toContain('devices.example.org');
  });

  it('passes no instance that a shell would take for more than a name', () => {
    expect(commandFor(shell, key, { tagIds: [], instanceId: 'x; rm -rf /' })).toBe("SECRET='s$&1' sh -s -- --key-id k1");
  });

  it('offers the platform of the browser first', () => {
    const platforms = ['linux-x64', 'osx-arm64', 'win-x64'];

    expect(ownPlatform(platforms, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)')).toBe('win-x64');
    expect(ownPlatform(platforms, 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)')).toBe('osx-arm64');
    expect(ownPlatform(['win-x64'], 'Mozilla/5.0 (X11; Linux x86_64)')).toBe('win-x64');
    expect(ownPlatform([], 'x')).toBeUndefined();
  });

  it('tells the agents of a platform apart', () => {
    const [own, other] = [null, 'ControlR'].map((brand) => ({ platform: 'linux-x64', brand }));

    expect([own, other].map(choiceOf)).toEqual(['linux-x64', 'linux-x64-installer']);
    expect([own, other].map(installableName)).toEqual(['Linux x64', 'Linux x64 (ControlR)']);
  });

  it('names platforms as people do', () => {
    expect(platformName('osx-arm64')).toBe('macOS ARM64');
    expect(platformName('plan9-mips')).toBe('plan9 mips');
  });
});
