import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';

import { plainAnswer, respond } from '#libs/signalr';

import { ServerSecrets } from '../../../access/authentication/server-secrets/server-secrets.js';
import { FileDigests } from '../../../devices/agent-updates/file-digests.js';
import { messageOf } from '../../../platform/common/errors/errors.js';
import { Settings } from '../../../platform/config/settings.js';
import { ServerNode } from '../../../platform/node/server-node.js';
import type { NodeAccount } from '../../../system/doctor/checks/nodes.js';
import { InternalPort } from '../bytes/internal-port.js';
import { fileDigests, optionDigests } from './node-account.js';

/** Path at which a node gives its account, on the internal port. */
export const ACCOUNT_PATH = '/nodes/account';
const NO_ACCOUNT = plainAnswer(500, 'The files of this node cannot be read.');

/** Tells the doctor, at this node or another one, who this node is and what it has. */
@Injectable()
export class AccountRoute implements OnModuleInit {
  private readonly logger = new Logger('Nodes');

  constructor(
    private readonly port: InternalPort,
    private readonly node: ServerNode,
    private readonly settings: Settings,
    private readonly secrets: ServerSecrets,
    private readonly files: FileDigests,
  ) {}

  onModuleInit(): void {
    this.port.route(ACCOUNT_PATH, (request, response) => void this.serve(request, response));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    try {
      const account = await this.account();
      respond(response, { status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(account) });
    } catch (error) {
      this.logger.error(`This node could not give its account: ${messageOf(error)}`);
      respond(response, NO_ACCOUNT);
    }
  }

  private async account(): Promise<NodeAccount> {
    const { clockAheadMs, isClockRight } = this.node.standing;
    const options = optionDigests(this.settings, this.secrets.of('Doctor'));
    return { id: this.node.id, clockAheadMs, isClockRight, options, files: await fileDigests(this.files) };
  }
}
