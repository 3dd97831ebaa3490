import { Text } from '../../platform/http/binding/fields.js';

export class BundleMetadataDto {
  @Text('Brand that the agent must have been built with.', { example: 'ControlR' }) brandName: string;
  @Text('Path of the bundle on this server.', { example: '/downloads/linux-x64/ControlR.Agent.bundle.zip' }) bundleDownloadUrl: string;
  @Text('SHA-256 of the bundle, in hexadecimal.', { example: 'A1'.repeat(32) }) bundleSha256: string;
  @Text('Path of the installer on this server.', { example: '/downloads/linux-x64/ControlR.Agent.Installer' })
  installerDownloadUrl: string;
  @Text('SHA-256 of the installer, in hexadecimal.', { example: 'B2'.repeat(32) }) installerSha256: string;
  @Text('Publisher that the agent must have been built with.', { example: 'Bitbound' }) publisher: string;
  @Text('The platform: `win-x86`, `win-x64`, `osx-arm64`, `osx-x64` or `linux-x64`.', { example: 'linux-x64' }) runtime: string;
  @Text('Version of the agent.', { example: '1.4.2.0' }) version: string;
}
