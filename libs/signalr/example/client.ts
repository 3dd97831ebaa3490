import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';

/** Says "Hello" in the chat at `url`, and returns what the server then tells everybody. */
export async function sayHello(url: string): Promise<string> {
  const connection = new HubConnectionBuilder().withUrl(url).configureLogging(LogLevel.Warning).build();
  const heard = new Promise<string>((resolve) => connection.on('Said', resolve));
  await connection.start();
  await connection.send('Say', 'Hello');
  const text = await heard;
  await connection.stop();
  return text;
}
