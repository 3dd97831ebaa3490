# Installs the device agent on Windows 10 and later, as administrator. The agent brings its own Node.js.
#
#   $env:DEVICE_AGENT_KEY_SECRET = '...'
#   iwr https://devices.example.org/downloads/install.ps1 -OutFile install.ps1
#   powershell -ExecutionPolicy Bypass -File install.ps1 -Server https://devices.example.org -Tenant <guid> -KeyId <guid>
param(
  [Parameter(Mandatory)] [string] $Server,
  [Parameter(Mandatory)] [string] $Tenant,
  [string] $KeyId,
  [string] $Tags,
  [string] $Sha256,
  [string] $Prefix = "$env:ProgramFiles\device-agent"
)
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$Server = $Server.TrimEnd('/')

$bundle = Invoke-RestMethod "$Server/downloads/win-x64/device-agent.json"
if ($Sha256 -and $Sha256 -ne $bundle.sha256) { throw "The server offers the bundle $($bundle.sha256) instead of $Sha256." }
$versions = Join-Path $Prefix 'versions'
New-Item -ItemType Directory -Force $versions | Out-Null
$archive = Join-Path $Prefix 'bundle.tar.gz'
Invoke-WebRequest "$Server/downloads/win-x64/device-agent.tar.gz" -OutFile $archive -UseBasicParsing
$actual = (Get-FileHash $archive -Algorithm SHA256).Hash
if ($actual -ne $bundle.sha256) { Remove-Item $archive; throw "The bundle has the hash $actual instead of $($bundle.sha256)." }

$version = Join-Path $versions $bundle.sha256
New-Item -ItemType Directory -Force $version | Out-Null
tar -xzf $archive -C $version
if ($LASTEXITCODE -ne 0) { throw 'The bundle cannot be unpacked.' }
Remove-Item $archive

$node = Join-Path $version 'runtime\bin\node.exe'
$main = Join-Path $version 'dist\agent\src\main.js'
Stop-ScheduledTask -TaskName 'device-agent' -ErrorAction SilentlyContinue
$options = @('install', '--server', $Server, '--tenant', $Tenant)
if ($KeyId) { $options += @('--key-id', $KeyId) }
if ($Tags) { $options += @('--tags', $Tags) }
& $node $main @options
if ($LASTEXITCODE -ne 0) { throw 'The agent could not be installed.' }

$action = New-ScheduledTaskAction -Execute $node -Argument "`"$main`" run"
$trigger = New-ScheduledTaskTrigger -AtStartup
$settings = New-ScheduledTaskSettingsSet -RestartCount 999 -RestartInterval (New-TimeSpan -Minutes 1) -ExecutionTimeLimit 0
Register-ScheduledTask -TaskName 'device-agent' -Action $action -Trigger $trigger -Settings $settings -User 'SYSTEM' -RunLevel Highest -Force | Out-Null
Start-ScheduledTask -TaskName 'device-agent'
