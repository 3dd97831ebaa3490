import type { XEvent } from 'x11';
import type { DesktopPerson } from '../platform.js';
import type { XConnection } from './x-connection.js';

/** Fonts from large to small. Every X server has the last one. */
const FONTS = ['-misc-fixed-medium-r-normal--20-*-iso10646-1', '10x20', '9x15', 'fixed'];
const LINE_LENGTH = 56;
const MARGIN = 16;
const LINE_SPACING = 6;
const PAPER = 0xfff8e1;
const INK = 0x1a1a1a;
const BUTTON = 0xd0d7de;
const EVENTS = { ButtonPress: 0x4, ButtonRelease: 0x8, Exposure: 0x8000, VisibilityChange: 0x10000 };
const LEFT_BUTTON = 1;
/** Two windows that both want to be on top take turns. */
const RAISE_MS = 1_000;

/** A window of sentences with buttons below, on top of all others. */
interface Prompt {
  readonly lines: readonly string[];
  readonly buttons: readonly string[];
  readonly placement: 'centre' | 'corner';
  /** Windows in the corner stand below each other. */
  readonly place: number;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly label: string;
}

interface Letters {
  readonly font: number;
  readonly width: number;
  readonly ascent: number;
  readonly height: number;
}

/** Windows that are drawn with what every X server has, so that the device needs no program for dialogs. */
export class XPerson implements DesktopPerson {
  private letters: Letters | undefined;

  constructor(private readonly connection: XConnection) {}

  async ask(sentences: readonly string[], buttons: readonly [yes: string, no: string], timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      let close = (): void => undefined;
      const answer = (isYes: boolean): void => {
        clearTimeout(timer);
        close();
        resolve(isYes);
      };
      const timer = setTimeout(() => answer(false), timeoutMs);
      this.connection.onLost(() => answer(false));
      const prompt = { lines: sentences.flatMap(wrapped), buttons, placement: 'centre', place: 0 } as const;
      this.open(prompt, (button) => answer(button === 0)).then(
        (opened) => {
          close = opened;
        },
        // Nobody can be asked.
        () => answer(false),
      );
    });
  }

  async notice(sentence: string, button: string, place: number, onPress: () => void): Promise<void> {
    await this.open({ lines: wrapped(sentence), buttons: [button], placement: 'corner', place }, onPress);
  }

  /** Opens a window, and returns a function that closes it. */
  private async open(prompt: Prompt, onPress: (button: number) => void): Promise<() => void> {
    const { client, root, screen } = this.connection;
    const letters = await this.lettersOf();
    const { width: screenWidth, height: screenHeight } = await this.connection.ask<{ readonly width: number; readonly height: number }>(
      (reply) => client.GetGeometry(root, reply),
    );
    const { width, height, boxes } = layoutOf(prompt, letters);
    const x = prompt.placement === 'centre' ? Math.floor((screenWidth - width) / 2) : screenWidth - width - MARGIN;
    const y = prompt.placement === 'centre' ? Math.floor((screenHeight - height) / 3) : MARGIN + prompt.place * (height + MARGIN);
    const window = client.AllocID();
    client.CreateWindow(window, root, Math.max(0, x), Math.max(0, y), width, height, 1, 0, 1, 0, {
      backgroundPixel: PAPER,
      borderPixel: screen.black_pixel,
      overrideRedirect: 1,
      eventMask: EVENTS.ButtonPress | EVENTS.ButtonRelease | EVENTS.Exposure | EVENTS.VisibilityChange,
    });
    const [text, box] = [client.AllocID(), client.AllocID()];
    client.CreateGC(text, window, { foreground: INK, background: PAPER, font: letters.font });
    client.CreateGC(box, window, { foreground: BUTTON, background: BUTTON, font: letters.font });
    const onLabel = client.AllocID();
    client.CreateGC(onLabel, window, { foreground: INK, background: BUTTON, font: letters.font });
    const draw = (): void => {
      prompt.lines.forEach((line, index) => {
        client.ImageText16(window, text, MARGIN, MARGIN + letters.ascent + index * (letters.height + LINE_SPACING), line);
      });
      for (const each of boxes) {
        client.PolyFillRectangle(window, box, [each.x, each.y, each.width, each.height]);
        client.ImageText16(window, onLabel, each.x + MARGIN, each.y + letters.ascent + LINE_SPACING, each.label);
      }
    };
    let raisedAt = 0;
    const listener = (event: XEvent): void => {
      if (event.wid !== window && event.window !== window) return;
      if (event.name === 'Expose') draw();
      if (event.name === 'VisibilityNotify' && performance.now() > raisedAt + RAISE_MS) {
        raisedAt = performance.now();
        client.RaiseWindow(window);
      }
      if (event.name !== 'ButtonRelease' || event.keycode !== LEFT_BUTTON) return;
      const pressed = boxes.findIndex((each) => isWithin(each, Number(event.x), Number(event.y)));
      if (pressed !== -1) onPress(pressed);
    };
    client.on('event', listener);
    client.MapWindow(window);
    client.RaiseWindow(window);
    return () => {
      client.removeListener('event', listener);
      if (!this.connection.isOver) client.DestroyWindow(window);
    };
  }

  private async lettersOf(): Promise<Letters> {
    if (this.letters !== undefined) return this.letters;
    const { client } = this.connection;
    for (const name of FONTS) {
      const font = client.AllocID();
      try {
        await this.connection.ask<unknown>((reply) => client.OpenFont(font, name, reply));
        const extents = await this.connection.ask<{
          readonly overallWidth: number;
          readonly fontAscent: number;
          readonly fontDescent: number;
        }>((reply) => client.QueryTextExtents(font, 'W', reply));
        const { overallWidth: width, fontAscent: ascent, fontDescent: descent } = extents;
        this.letters = { font, width, ascent, height: ascent + descent };
        return this.letters;
      } catch {
        // The server lacks the font; the next one is smaller.
      }
    }
    throw new Error('The X server has no font.');
  }
}

function layoutOf({ lines, buttons }: Prompt, { width: letter, height: line }: Letters) {
  const textWidth = letter * Math.max(...lines.map(({ length }) => length));
  const widths = buttons.map((label) => label.length * letter + 2 * MARGIN);
  const width =
    Math.max(
      textWidth,
      widths.reduce((sum, each) => sum + each + MARGIN, -MARGIN),
    ) +
    2 * MARGIN;
  const buttonHeight = line + 2 * LINE_SPACING;
  const y = MARGIN + lines.length * (line + LINE_SPACING) + LINE_SPACING;
  let x = MARGIN;
  const boxes = buttons.map((label, index): Box => {
    const box = { x, y, width: widths[index], height: buttonHeight, label };
    x += widths[index] + MARGIN;
    return box;
  });
  return { width, height: y + buttonHeight + MARGIN, boxes };
}

function isWithin(box: Box, x: number, y: number): boolean {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

/** Lines of a sentence. A word that is longer than a line is cut. */
function wrapped(sentence: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of sentence.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > LINE_LENGTH && line !== '') {
      lines.push(line);
      line = word.slice(0, LINE_LENGTH);
    } else line = longer.slice(0, LINE_LENGTH);
  }
  return [...lines, line];
}
