import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/* There is no Windows here: these tests read the text of the script, and its order. */

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
    expect(downloads).toHaveLength(3);
    for (const line of downloads) expect(line).toContain('-UseBasicParsing');
  });

  it('says what is missing before it changes or downloads anything', () => {
    for (const sentence of ['Run this as administrator.', 'tar.exe is needed', '-Instance may hold']) {
      expect(at(sentence)).toBeLessThan(at('try {'));
      expect(at(sentence)).toBeLessThan(at('New-Item'));
      expect(at(sentence)).toBeLessThan(at('Invoke-'));
    }
  });

  it('closes the folder of the key to all but SYSTEM and administrators before the agent writes it', () => {
    const closing = at(`icacls $data /inheritance:r /grant:r '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F'`);
    expect(closing).toBeLessThan(at('& $node $main'));
    // Another account may have made it before.
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
    expect(code.match(/-TaskName \$name/g)?.length).toBe(code.match(/-TaskName/g)?.length);
  });

  it('leaves a launcher, and no version but the one that runs', () => {
    expect(code).toContain("Join-Path $Prefix 'device-agent.cmd'");
    expect(code).toContain('%*');
    expect(at('Start-ScheduledTask')).toBeLessThan(at('$_.Name -ne $folder'));
  });

  it('unpacks into a folder that is new: Windows lets nobody replace the files of an agent that runs', () => {
    const choice = code.slice(at('$folder = $bundle.sha256'), at('tar.exe -xzf'));
    expect(choice).toContain(
      'for ($n = 2; Test-Path -LiteralPath (Join-Path $versions $folder); $n++) { $folder = "$($bundle.sha256)-$n" }',
    );
    expect(choice.match(/\$version = .*/g)).toEqual(['$version = Join-Path $versions $folder']);
    expect(choice).toContain('$madeVersion = $version');
    expect(code.match(/\$version = /g)).toHaveLength(1);
    for (const path of ['runtime\\bin\\node.exe', 'dist\\agent\\src\\main.js']) expect(code).toContain(`%~dp0versions\\$folder\\${path}`);
  });

  it('lets the agent run on the battery of a laptop', () => {
    expect(code).toMatch(/New-ScheduledTaskSettingsSet .*-AllowStartIfOnBatteries -DontStopIfGoingOnBatteries/);
  });

  it('checks the hash before it unpacks', () => {
    expect(at('Get-FileHash')).toBeLessThan(at('tar.exe -xzf'));
  });

  it('checks the key before it changes or downloads anything, and asks nothing without one', () => {
    const check = code.slice(at('if ($KeyId) {'), at('$name ='));
    expect(check).toContain('"$Server/api/agent/installer-keys/check" -Method Post');
    expect(check).toContain('-MaximumRedirection 0');
    expect(check).toContain("throw 'The installer key is unknown, used up or expired. Create another one.'");
    expect(check).not.toContain('/downloads/');
    expect(code.match(/installer-keys/g)).toHaveLength(1);
    expect(at('installer-keys/check')).toBeLessThan(at('/downloads/'));
    expect(at('installer-keys/check')).toBeLessThan(at('try {\n  New-Item'));
  });

  it('takes back what it has done when it fails, and says what that leaves', () => {
    // Everything that changes the machine is inside, and the state before is known by then.
    const [before = '', inside = ''] = code.split('\ntry {\n');
    const changing = /New-Item|icacls |tar\.exe -xzf|-OutFile|& \$node|Set-Content/;
    expect(before.replace(/function [^]*/, '')).not.toMatch(changing);
    expect(inside).toMatch(/\n\} catch \{\n {2}Undo-Installation\n {2}throw\n\}\n/);
    expect(inside.slice(inside.indexOf('\n} catch {'))).not.toMatch(changing);
    for (const known of ['Export-ScheduledTask', 'ReadAllBytes($launcher)', '$madeFolders = '])
      expect(before.indexOf(known)).toBeGreaterThan(-1);

    const undo = before.slice(before.indexOf('function Undo-Installation'));
    expect(undo).toContain('Unregister-ScheduledTask -TaskName $name -Confirm:$false');
    expect(undo).toContain('Register-ScheduledTask -TaskName $name -Xml $formerTask');
    expect(undo).toContain('foreach ($made in @($madeVersion) + $madeFolders)');
    // Only things that were missing are removed, and no step is silent about its failure.
    expect(before).toContain('@($Prefix, $versions) | Where-Object { -not (Test-Path -LiteralPath $_) }');
    expect(undo).toContain('if (-not $hasData -and (Test-Path -LiteralPath $data))');
    expect(undo).toContain('if ($isClosed) { Remove-Item -LiteralPath $data -Recurse -Force }');
    expect(at('/reset')).toBeLessThan(at('$isClosed = $true'));
    const steps = undo.split(/Undo-Step "[^"]* (?:could not be|is not as it was)/).length - 1;
    expect(steps).toBe(8);
    expect(code).toContain('catch { Write-Warning "Cleaning up failed. ${left}: $_" }');
  });

  it('ends the former agent only when all else has gone well', () => {
    expect(at('& $node $main')).toBeLessThan(at('$isTaskChanged = $true'));
    expect(at('$isTaskChanged = $true')).toBeLessThan(at('Stop-ScheduledTask -TaskName $name -ErrorAction'));
  });
});
