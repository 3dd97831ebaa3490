import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/* There is no Windows here: what the script says, and in which order. */

const script = readFileSync(new URL('install.ps1', import.meta.url), 'utf8');
const lines = script.split('\n').filter((line) => !line.trimStart().startsWith('#'));
const code = lines.join('\n');
const at = (text: string): number => {
  const index = code.indexOf(text);
  if (index === -1) throw new Error(`The script has no ${text}.`);
  return index;
};

describe('install.ps1', () => {
  it('downloads with TLS 1.2 and without Internet Explorer', () => {
    expect(at('SecurityProtocolType]::Tls12')).toBeLessThan(at('Invoke-'));
    const downloads = lines.filter((line) => /Invoke-(RestMethod|WebRequest)/.test(line));
    expect(downloads).toHaveLength(2);
    for (const line of downloads) expect(line).toContain('-UseBasicParsing');
  });

  it('says what is missing before it changes or downloads anything', () => {
    for (const sentence of ['Run this as administrator.', 'tar.exe is needed', '-Instance may hold']) {
      expect(at(sentence)).toBeLessThan(at('New-Item'));
      expect(at(sentence)).toBeLessThan(at('Invoke-'));
    }
  });

  it('closes the folder of the key to all but SYSTEM and administrators before the agent writes it', () => {
    const closing = at(`icacls $data /inheritance:r /grant:r '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F'`);
    expect(closing).toBeLessThan(at('& $node $main'));
    // Somebody else may have made it before.
    expect(at('ReparsePoint')).toBeLessThan(at(`/setowner '*S-1-5-32-544'`));
    expect(at(`/setowner '*S-1-5-32-544'`)).toBeLessThan(closing);
    expect(closing).toBeLessThan(at('/reset'));
    expect(code.match(/^\s*icacls /gm)).toHaveLength(3);
    expect(code.match(/icacls [^\n]*\n\s*if \(\$LASTEXITCODE -ne 0\) \{ throw/g)).toHaveLength(3);
  });

  it('gives an instance a folder, a program and a task of its own', () => {
    expect(code).toContain('if ($Instance) { $name = "device-agent-$Instance" }');
    expect(code).toContain('$data = Join-Path $env:ProgramData $name');
    expect(code).toContain('$Prefix = Join-Path $env:ProgramFiles $name');
    expect(code).toContain("$options += @('--instance', $Instance)");
    expect(code).not.toMatch(/-TaskName '/);
    expect(code.match(/-TaskName \$name/g)).toHaveLength(3);
  });

  it('leaves a launcher, and no version but the one that runs', () => {
    expect(code).toContain("Join-Path $Prefix 'device-agent.cmd'");
    expect(code).toContain('%*');
    expect(at('Start-ScheduledTask')).toBeLessThan(at('$_.Name -ne $bundle.sha256'));
  });

  it('checks the hash before it unpacks', () => {
    expect(at('Get-FileHash')).toBeLessThan(at('tar.exe -xzf'));
  });
});
