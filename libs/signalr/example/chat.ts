import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { WebSocketGateway } from '@nestjs/websockets';
import { clientMethod, type HubContext, wire } from '#libs/signalr';
import { Argument, configureSignalR, HubMethod, InjectHub, SignalRModule } from '#libs/signalr/nest';

const said = clientMethod('Said', [wire.text]);

@WebSocketGateway({ path: '/chat' })
class ChatGateway {
  constructor(@InjectHub('/chat') private readonly clients: HubContext) {}

  @HubMethod('Say')
  say(@Argument(0) text: unknown): void {
    this.clients.all().send(said, [String(text)]);
  }
}

@Module({ imports: [SignalRModule.forHubs('/chat')], providers: [ChatGateway] })
class ChatModule {}

export async function startChat(port: number): Promise<INestApplication> {
  const app = await NestFactory.create(ChatModule);
  configureSignalR(app);
  await app.listen(port);
  return app;
}
