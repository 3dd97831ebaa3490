# Installs the device agent on Windows 10 (1803) and later, as administrator. The agent brings its own Node.js.
#
#   $env:DEVICE_AGENT_KEY_SECRET = '...'
#   iwr https://devices.example.org/downloads/install.ps1 -OutFile install.ps1 -UseBasicParsing
#   powershell -ExecutionPolicy Bypass -File install.ps1 -Server https://devices.example.org -Tenant <guid> -KeyId <guid>
#
# -Instance <name>  a further agent on this machine, with a folder and a task of its own
# -Sha256 <hash>    refuse every bundle but this one
# -Prefix <folder>  where the program goes; by default device-agent in the folder of programs
#
# It is removed with "device-agent.cmd uninstall" in the folder of the program.
param(
  [Parameter(Mandatory)] [string] $Server,
  [Parameter(Mandatory)] [string] $Tenant,
  [string] $KeyId,
  [string] $Tags,
  [string] $Sha256,
  [string] $Instance,
  [string] $Prefix
)
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
# Windows 10 of the first years offers TLS 1.0 only, unless it is told otherwise.
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
$Server = $Server.TrimEnd('/')

if ($Instance -and $Instance -notmatch '^[A-Za-z0-9_-]+$') { throw '-Instance may hold letters, digits, "-" and "_" only.' }
$principal = [Security.Principal.WindowsPrincipal] [Security.Principal.WindowsIdentity]::GetCurrent()
if (-not $principal.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) { throw 'Run this as administrator.' }
if (-not (Get-Command tar.exe -ErrorAction SilentlyContinue)) {
  throw 'tar.exe is needed, which Windows 10 has since version 1803. Update Windows, or put a tar.exe into the PATH.'
}
# A key that is of no use is told before anything is changed or downloaded. What is no clear answer is left to the registration.
if ($KeyId) {
  if (-not $env:DEVICE_AGENT_KEY_SECRET) { throw 'The secret of the installer key is missing. Set $env:DEVICE_AGENT_KEY_SECRET.' }
  $key = @{ installerKeyId = $KeyId; installerKeySecret = $env:DEVICE_AGENT_KEY_SECRET } | ConvertTo-Json
  $status = 204
  try {
    # To no other address than the named one.
    Invoke-WebRequest "$Server/api/agent/installer-keys/check" -Method Post -ContentType 'application/json' -Body $key -MaximumRedirection 0 -UseBasicParsing | Out-Null
  } catch {
    if (-not $_.Exception.Response) { throw "The installer key cannot be checked at ${Server}: $_" }
    $status = [int] $_.Exception.Response.StatusCode
  }
  if ($status -eq 400) { throw 'The server cannot read the id or the secret of the installer key.' }
  if ($status -eq 404) { throw 'The installer key is unknown, used up or expired. Create another one.' }
}
$name = 'device-agent'
if ($Instance) { $name = "device-agent-$Instance" }
if (-not $Prefix) { $Prefix = Join-Path $env:ProgramFiles $name }

$data = Join-Path $env:ProgramData $name
$versions = Join-Path $Prefix 'versions'
$archive = Join-Path $Prefix 'bundle.tar.gz'
$launcher = Join-Path $Prefix 'device-agent.cmd'
# What is there before this run. All else is removed again when it fails.
$former = Get-ScheduledTask -TaskName $name -ErrorAction SilentlyContinue
$formerTask = $null
if ($former) { $formerTask = Export-ScheduledTask -TaskName $name }
$isRunning = $former -and $former.State -eq 'Running'
$formerLauncher = $null
if (Test-Path -LiteralPath $launcher) { $formerLauncher = [IO.File]::ReadAllBytes($launcher) }
$madeFolders = @(@($Prefix, $versions) | Where-Object { -not (Test-Path -LiteralPath $_) })
$hasData = Test-Path -LiteralPath $data
$isClosed = $false
$madeVersion = $null
$isTaskChanged = $false

function Undo-Step([string] $left, [scriptblock] $step) {
  try { & $step } catch { Write-Warning "Cleaning up failed. ${left}: $_" }
}

# A first installation leaves nothing behind, and another one leaves the version before as it was.
function Undo-Installation {
  if ($isTaskChanged) {
    if ($formerTask) {
      Undo-Step "The task $name is not as it was" { Register-ScheduledTask -TaskName $name -Xml $formerTask -User 'SYSTEM' -Force | Out-Null }
      if ($isRunning) { Undo-Step "The task $name could not be started again" { Start-ScheduledTask -TaskName $name } }
    } else {
      Undo-Step "The task $name could not be removed" {
        if (Get-ScheduledTask -TaskName $name -ErrorAction SilentlyContinue) {
          Stop-ScheduledTask -TaskName $name
          Unregister-ScheduledTask -TaskName $name -Confirm:$false
        }
      }
    }
  }
  if (Test-Path -LiteralPath $archive) { Undo-Step "$archive could not be removed" { Remove-Item -LiteralPath $archive -Force } }
  if ($formerLauncher) { Undo-Step "$launcher is not as it was" { [IO.File]::WriteAllBytes($launcher, $formerLauncher) } }
  elseif (Test-Path -LiteralPath $launcher) { Undo-Step "$launcher could not be removed" { Remove-Item -LiteralPath $launcher -Force } }
  foreach ($made in @($madeVersion) + $madeFolders) {
    if ($made -and (Test-Path -LiteralPath $made)) {
      Undo-Step "$made could not be removed" { Remove-Item -LiteralPath $made -Recurse -Force }
    }
  }
  if (-not $hasData -and (Test-Path -LiteralPath $data)) {
    # Until it is closed, others may have put a link in its place: then nothing behind it is removed.
    Undo-Step "$data could not be removed" {
      if ($isClosed) { Remove-Item -LiteralPath $data -Recurse -Force } else { [IO.Directory]::Delete($data, $false) }
    }
  }
}

try {
  # Every account may make folders in ProgramData. Whoever could read this one would have the key of the device.
  New-Item -ItemType Directory -Force $data | Out-Null
  if ((Get-Item -LiteralPath $data -Force).Attributes -band [IO.FileAttributes]::ReparsePoint) { throw "$data leads elsewhere. Remove it." }
  # The numbers are SYSTEM and the administrators, whose names differ by language.
  icacls $data /setowner '*S-1-5-32-544' /T /C /Q | Out-Null
  if ($LASTEXITCODE -ne 0) { throw "The owner of $data cannot be set." }
  icacls $data /inheritance:r /grant:r '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' /Q | Out-Null
  if ($LASTEXITCODE -ne 0) { throw "The access to $data cannot be limited." }
  if (Get-ChildItem -LiteralPath $data -Force) {
    icacls (Join-Path $data '*') /reset /T /C /Q | Out-Null
    if ($LASTEXITCODE -ne 0) { throw "The access to the files in $data cannot be limited." }
  }
  $isClosed = $true

  $bundle = Invoke-RestMethod "$Server/downloads/win-x64/device-agent.json" -UseBasicParsing
  if ($Sha256 -and $Sha256 -ne $bundle.sha256) { throw "The server offers the bundle $($bundle.sha256) instead of $Sha256." }
  if ($bundle.sha256 -notmatch '^[0-9a-f]{64}$') { throw 'The server answered no description of a bundle.' }
  New-Item -ItemType Directory -Force $versions | Out-Null
  Invoke-WebRequest "$Server/downloads/win-x64/device-agent.tar.gz" -OutFile $archive -UseBasicParsing
  $actual = (Get-FileHash $archive -Algorithm SHA256).Hash
  if ($actual -ne $bundle.sha256) { throw "The bundle has the hash $actual instead of $($bundle.sha256)." }

  # Into a folder that is new: the agent may run from the one of the same bundle, and Windows keeps the files of a program that runs.
  $folder = $bundle.sha256
  for ($n = 2; Test-Path -LiteralPath (Join-Path $versions $folder); $n++) { $folder = "$($bundle.sha256)-$n" }
  $version = Join-Path $versions $folder
  $madeVersion = $version
  New-Item -ItemType Directory $version | Out-Null
  tar.exe -xzf $archive -C $version
  if ($LASTEXITCODE -ne 0) { throw 'The bundle cannot be unpacked.' }
  Remove-Item $archive

  $node = Join-Path $version 'runtime\bin\node.exe'
  $main = Join-Path $version 'dist\agent\src\main.js'
  $options = @('install', '--server', $Server, '--tenant', $Tenant)
  if ($KeyId) { $options += @('--key-id', $KeyId) }
  if ($Tags) { $options += @('--tags', $Tags) }
  if ($Instance) { $options += @('--instance', $Instance) }
  & $node $main @options
  if ($LASTEXITCODE -ne 0) { throw 'The agent could not be installed.' }

  # What people type; the task starts the version itself, so that it can end it.
  $lines = @('@echo off', "`"%~dp0versions\$folder\runtime\bin\node.exe`" `"%~dp0versions\$folder\dist\agent\src\main.js`" %*")
  Set-Content -LiteralPath $launcher -Value $lines -Encoding ASCII

  $isTaskChanged = $true
  Stop-ScheduledTask -TaskName $name -ErrorAction SilentlyContinue
  # Large files pass through as garbage, for whose youngest part Node.js would keep 16 MiB.
  $run = "--max-semi-space-size=2 `"$main`" run"
  if ($Instance) { $run += " --instance $Instance" }
  $action = New-ScheduledTaskAction -Execute $node -Argument $run
  $trigger = New-ScheduledTaskTrigger -AtStartup
  # By default a task of a laptop begins only with mains power, and ends without it.
  $settings = New-ScheduledTaskSettingsSet -RestartCount 999 -RestartInterval (New-TimeSpan -Minutes 1) -ExecutionTimeLimit 0 -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
  Register-ScheduledTask -TaskName $name -Action $action -Trigger $trigger -Settings $settings -User 'SYSTEM' -RunLevel Highest -Force | Out-Null
  Start-ScheduledTask -TaskName $name
} catch {
  Undo-Installation
  throw
}

# A version whose program still ends is removed by the next installation.
Get-ChildItem -LiteralPath $versions -Directory | Where-Object { $_.Name -ne $folder } | ForEach-Object {
  Remove-Item -LiteralPath $_.FullName -Recurse -Force -ErrorAction SilentlyContinue
}
Write-Output "The task $name runs. Remove the agent with: & '$launcher' uninstall$(if ($Instance) { " --instance $Instance" })"
