import { describe, expect, it } from 'vitest';

import { commandFor, ownPlatform, platformName } from './install-command.js';

describe('the command that installs an agent', () => {
  it('carries the key', () => {
    expect(commandFor("SECRET='{keySecret}' install --key-id {keyId}", { id: 'k1', secret: 's$&1' })).toBe(
      "SECRET='s$&1' install --key-id k1",
    );
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
