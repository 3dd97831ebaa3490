import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../../authentication/principals/request-context.js';
import { SERVER_LOG } from '../../authorization/change-log/server-log.js';
import { ReadableLogs } from '../readable-logs.js';
import type { ChainHeadDto, ChainHeadsQueryDto, ChainHeadsResponseDto } from './chain-heads.dto.js';
import { type ChainHead, ChainsRepository } from './chains.repository.js';

/** Reads the heads of the chains of the change log, so that auditors can keep them. */
@Injectable()
export class ChainHeads {
  constructor(
    private readonly repository: ChainsRepository,
    private readonly logs: ReadableLogs,
  ) {}

  /** The head of a tenant's log. 404 for a tenant that neither exists nor has a log. */
  async of({ manager }: RequestContext, tenantId: string): Promise<ChainHeadDto> {
    const head = await this.repository.head(manager, tenantId);
    if (head === null) await this.logs.require(manager, tenantId);
    return described(head ?? { logId: tenantId, position: 0, hash: '' });
  }

  /** A page of the heads of all logs. */
  async all({ manager }: RequestContext, { after, pageSize }: ChainHeadsQueryDto): Promise<ChainHeadsResponseDto> {
    const found = await this.repository.heads(manager, after, pageSize + 1);
    const shown = found.slice(0, pageSize);
    return { items: shown.map(described), next: found.length > pageSize ? (shown.at(-1)?.logId ?? null) : null };
  }
}

function described({ logId, position, hash }: ChainHead): ChainHeadDto {
  return { tenantId: logId === SERVER_LOG ? null : logId, position, hash };
}
