import { namesOf, EnumName } from '../../platform/http/binding/enum-fields.js';
import { Bool, ListOf, Text } from '../../platform/http/binding/fields.js';
import type { BundleState } from './bundle-builds.js';

const STATE = namesOf<BundleState>(
  'AgentBundleState',
  { Available: 'Available', Missing: 'Missing', Waiting: 'Waiting', Building: 'Building', Failed: 'Failed' },
  {
    Available: 'agents can be installed',
    Missing: 'there is no bundle',
    Waiting: 'it is built after others',
    Building: 'it is being built',
    Failed: 'the last build failed',
  },
);

export class AgentBundleDto {
  @Text('Platform of the devices.', { example: 'linux-x64' }) platform: string;
  @EnumName('State of the bundle at the process that answers.', STATE) state: BundleState;
  @Text('Version of the agent in the bundle that is there; null if there is none.', { nullable: true, example: '0.1.0.0' })
  version: string | null;
  @Text('Reason of the failure, for those who may change the settings of the server; null for others.', {
    nullable: true,
    example: 'npm is not installed.',
  })
  failure: string | null;
}

export class AgentBundlesResponseDto {
  @ListOf('The platforms that the agent runs on.', () => AgentBundleDto) items: AgentBundleDto[];
  @Bool('True if the server can build bundles and the caller may have it do so.') canBuild: boolean;
}
