import { Guid, Int, ListOf, PageSize, Text } from '../../../platform/http/binding/fields.js';

export class ChainHeadDto {
  @Guid('Id of the tenant whose log it is; null for the log of the server.', { nullable: true }) tenantId: string | null;
  @Int('Number of entries that were ever written to the log; its last entry has this position.', { example: 134 }) position: number;
  @Text('SHA-256 of the last entry, which covers all before it, in hexadecimal; empty for an empty log.', {
    example: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
  })
  hash: string;
}

export class ChainHeadsQueryDto {
  @Guid('Logs after this one: `next` of the page before.', { nullable: true }) after: string | null;
  @PageSize('Logs', { min: 1, max: 1000, default: 1000 }) pageSize: number;
}

export class ChainHeadsResponseDto {
  @ListOf('The heads.', () => ChainHeadDto) items: ChainHeadDto[];
  @Guid('Asks for the next page as `after`; null on the last one.', { nullable: true }) next: string | null;
}
