import { Line } from './line.js';
import type { FromWorker, ToWorker } from './messages.js';
import { Painter } from './painter.js';

/*
 * The worker of a desktop: its line to the device, and its picture. It goes on while the page is hidden or busy.
 */

let painter: Painter | null = null;
let line: Line | null = null;

const tell = (message: FromWorker): void => postMessage(message);

function take(message: ToWorker): void {
  switch (message.kind) {
    case 'canvas':
      painter = new Painter(message.canvas);
      return;
    case 'connect':
      line?.end();
      if (painter !== null) line = new Line(message.line, painter, tell);
      return;
    case 'disconnect':
      line?.end();
      line = null;
      return;
    case 'end':
      if (line === null) close();
      else line.end(() => close());
      return;
    case 'send':
      line?.send(message.message);
      return;
    case 'settings':
      line?.settings(message.settings);
      return;
    case 'show':
      line?.show(message.displayId);
      return;
    case 'move':
      line?.move(message.x, message.y);
      return;
    case 'redraw':
      painter?.redraw();
      return;
    case 'picture':
      void (painter?.picture() ?? Promise.resolve(null)).then((picture) => tell({ kind: 'picture', picture }));
  }
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => take(data));
