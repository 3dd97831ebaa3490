import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { clientMethod, hubMethod, SignalRServer, wire } from '#libs/signalr';

const said = clientMethod('Said', [wire.text]);

export async function startChat(port: number): Promise<{ http: Server; signalr: SignalRServer }> {
  const signalr = new SignalRServer();
  const chat = signalr.addHub({ path: '/chat' });
  const clients = signalr.context('/chat');
  chat.method(hubMethod('Say', [wire.text]), ({ args }) => clients.all().send(said, args));

  const http = createServer((request, response) => {
    if (!signalr.handleRequest(request, response)) response.writeHead(404).end();
  });
  signalr.attach(http);
  await once(http.listen(port), 'listening');
  return { http, signalr };
}
