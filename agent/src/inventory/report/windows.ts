import { Timestamp } from '#libs/contracts';
import type { Command } from '../../commands.js';
import { countOf, lineOf, type ReadInventory } from './inventory-parts.js';
import { listOf, member, parsed } from './json-value.js';
import { readJson, type ReadOutput } from './run-limited.js';

const BYTES_PER_GIB = 1024 ** 3;

/** Numbers of memory types (SMBIOS, section 7.18.2). */
const MEMORY_TYPES: Readonly<Record<number, string>> = {
  20: 'DDR',
  21: 'DDR2',
  24: 'DDR3',
  26: 'DDR4',
  30: 'LPDDR4',
  34: 'DDR5',
  35: 'LPDDR5',
};

const START = `
$ErrorActionPreference = 'SilentlyContinue'
[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)`;

/**
 * Asks for everything but updates at once, because PowerShell takes a second to start. Programs are those of the registry: `Win32_Product`
 * would repair each of them.
 */
const SCRIPT = `${START}
$system = Get-CimInstance Win32_ComputerSystem
$bios = Get-CimInstance Win32_BIOS
$os = Get-CimInstance Win32_OperatingSystem
$keys = 'HKLM:\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\*', 'HKLM:\\Software\\WOW6432Node\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\*'
$software = Get-ItemProperty $keys | Where-Object { $_.DisplayName -and -not $_.SystemComponent -and -not $_.ParentKeyName } |
  Select-Object DisplayName, DisplayVersion, Publisher
@{
  Manufacturer = $system.Manufacturer; Model = $system.Model; SerialNumber = $bios.SerialNumber; Firmware = $bios.SMBIOSBIOSVersion
  Processors = @(Get-CimInstance Win32_Processor | Select-Object Name, NumberOfCores)
  BootedAt = $os.LastBootUpTime.ToUniversalTime().ToString('o')
  Memory = @(Get-CimInstance Win32_PhysicalMemory | Select-Object DeviceLocator, Capacity, SMBIOSMemoryType, Speed)
  Software = @($software)
} | ConvertTo-Json -Depth 4 -Compress`;

/** Asks for updates: what Windows knows already, and no server. The search may take minutes, so that it holds up nothing else. */
const UPDATES = `${START}
$updates = $null
try {
  $searcher = (New-Object -ComObject Microsoft.Update.Session).CreateUpdateSearcher()
  $searcher.Online = $false
  $updates = @($searcher.Search('IsInstalled=0 and IsHidden=0').Updates | ForEach-Object {
    @{ Title = $_.Title; Security = [bool]($_.Categories | Where-Object { $_.CategoryID -eq '0fa1201d-4330-4fa8-8ae9-b877473b6441' }) } })
} catch {
  # The service of updates may be switched off: they are unknown then.
  $updates = $null
}
@{ Updates = $updates } | ConvertTo-Json -Depth 4 -Compress`;

/** Reads the inventory of a Windows machine; without updates where their search tells nothing. @throws Error when PowerShell tells nothing else */
export async function readWindows(output: ReadOutput): Promise<ReadInventory> {
  const [read, updates] = await Promise.all([readJson(output, powerShell(SCRIPT)), output(powerShell(UPDATES))]);
  return windowsInventory(read, parsed(updates));
}

const powerShell = (script: string): Command => [
  'powershell.exe',
  '-NoProfile',
  '-NonInteractive',
  '-ExecutionPolicy',
  'Bypass',
  '-Command',
  script,
];

/** The inventory of what the scripts have written. */
export function windowsInventory(read: unknown, searched: unknown): ReadInventory {
  const processors = listOf(member(read, 'Processors'));
  const bootedAt = new Date(String(member(read, 'BootedAt')));
  const software = member(read, 'Software');
  const updates = member(searched, 'Updates');
  return {
    manufacturer: lineOf(member(read, 'Manufacturer')),
    model: lineOf(member(read, 'Model')),
    serialNumber: lineOf(member(read, 'SerialNumber')),
    firmware: lineOf(member(read, 'Firmware')),
    processor: lineOf(member(processors[0], 'Name')),
    processorCores: processors.reduce<number>((sum, each) => sum + countOf(member(each, 'NumberOfCores')), 0),
    bootedAt: Number.isNaN(bootedAt.getTime()) ? null : Timestamp.fromDate(bootedAt),
    memorySlots: listOf(member(read, 'Memory')).map((slot) => ({
      name: lineOf(member(slot, 'DeviceLocator')),
      size: Number(member(slot, 'Capacity') ?? 0) / BYTES_PER_GIB || 0,
      type: MEMORY_TYPES[countOf(member(slot, 'SMBIOSMemoryType'))] ?? '',
      speed: countOf(member(slot, 'Speed')),
    })),
    software:
      software === undefined
        ? null
        : listOf(software).map((each) => ({
            name: lineOf(member(each, 'DisplayName')),
            version: lineOf(member(each, 'DisplayVersion')),
            publisher: lineOf(member(each, 'Publisher')),
          })),
    updates:
      updates === undefined || updates === null
        ? null
        : listOf(updates).map((each) => ({
            name: lineOf(member(each, 'Title')),
            version: '',
            isSecurity: member(each, 'Security') === true,
          })),
  };
}
