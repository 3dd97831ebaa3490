import { ConsoleLogger } from '@nestjs/common';

/** What the framework tells of its own start: a line for each module, route and hub method, of no use to an operator. */
const FRAMEWORK = new Set(['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver', 'WebSocketsController']);

/** The log of the service: its own lines and every warning and error, without the framework's account of its start. */
export class ServiceLogger extends ConsoleLogger {
  override log(message: unknown, ...parameters: unknown[]): void {
    const context = parameters.at(-1);
    if (typeof context === 'string' && FRAMEWORK.has(context)) this.debug(message, ...parameters);
    else super.log(message, ...parameters);
  }
}
