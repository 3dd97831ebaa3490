import { Architecture, SystemPlatform } from '#libs/contracts';

const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  ia32: Architecture.X86,
  x64: Architecture.X64,
  arm: Architecture.Arm,
  arm64: Architecture.Arm64,
  s390x: Architecture.S390x,
  loong64: Architecture.LoongArch64,
  ppc64: Architecture.Ppc64le,
  riscv64: Architecture.RiscV64,
};

const PLATFORMS: Readonly<Record<string, SystemPlatform>> = {
  win32: SystemPlatform.Windows,
  linux: SystemPlatform.Linux,
  darwin: SystemPlatform.MacOs,
  android: SystemPlatform.Android,
};

const BITS_32 = new Set(['ia32', 'arm']);

/** Node's name of a processor architecture in the contract's words. */
export function architectureOf(name: string): Architecture {
  return ARCHITECTURES[name] ?? Architecture.X64;
}

export function platformOf(name: string): SystemPlatform {
  return PLATFORMS[name] ?? SystemPlatform.Unknown;
}

export function is64Bit(architecture: string): boolean {
  return !BITS_32.has(architecture);
}
