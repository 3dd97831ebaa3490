import {
  Inject,
  Injectable,
  Optional,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { NEVER, type Observable } from 'rxjs';

import { KeyPendingError } from '../../platform/common/errors/errors.js';

/** The injection token of {@link DeviceNodes}. A service of one node provides nothing under it. */
export const DEVICE_NODES = Symbol('DeviceNodes');

/** The nodes at which devices are connected. */
export interface DeviceNodes {
  /**
   * Lets the node of a device answer a request. False: the device is connected here, or nowhere, so that the request is served here.
   * @throws KeyPendingError when the device is not connected here, and its key waits for approval
   */
  answer(request: Request, response: Response, deviceId: string): Promise<boolean>;
}

/** Passes a request on to the node of the device that its guard has found. */
@Injectable()
class DeviceNodeInterceptor implements NestInterceptor {
  constructor(@Optional() @Inject(DEVICE_NODES) private readonly nodes?: DeviceNodes) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    return this.nodes === undefined ? next.handle() : this.pass(this.nodes, execution, next);
  }

  protected async pass(nodes: DeviceNodes, execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = execution.switchToHttp();
    const request = http.getRequest<Request>();
    if (request.deviceRight === undefined) throw new Error('The route is not opened by a permission on a device.');
    const isAnswered = await nodes.answer(request, http.getResponse<Response>(), request.deviceRight.id);
    // The answer of the other node is the whole one.
    return isAnswered ? NEVER : next.handle();
  }
}

/** Serves a request here while the key of its device waits for approval. */
@Injectable()
class ReachableDeviceNodeInterceptor extends DeviceNodeInterceptor {
  protected override async pass(nodes: DeviceNodes, execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    try {
      return await super.pass(nodes, execution, next);
    } catch (error) {
      if (!(error instanceof KeyPendingError)) throw error;
      return next.handle();
    }
  }
}

/**
 * Serves a route at the node at which its device is connected: it streams from or to the agent, or asks what only that node knows. The
 * request is passed on after its guards and before its body is read, if it is none of JSON.
 */
export function AtDeviceNode(): MethodDecorator {
  return UseInterceptors(DeviceNodeInterceptor);
}

/** The same for a route that also answers for devices that cannot be reached. */
export function AtReachableDeviceNode(): MethodDecorator {
  return UseInterceptors(ReachableDeviceNodeInterceptor);
}
