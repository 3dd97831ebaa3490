import { Module } from '@nestjs/common';

import { Forwarder, ForwarderLimits } from './forwarder.js';
import { ForwardingMetrics } from './forwarding-metrics.js';
import { ForwardingRepository } from './forwarding.repository.js';
import { ForwardingRetention } from './forwarding-retention.js';

@Module({
  providers: [Forwarder, ForwarderLimits, ForwardingMetrics, ForwardingRepository, ForwardingRetention],
  exports: [ForwardingRetention],
})
export class ForwardingModule {}
