import type { Picture } from '../../../agent/src/remote-control/picture/png.fixture.js';
import { eventually } from '../../support/eventually.js';
import type { Screen } from './screen.js';

/** Presses a button of the window with so many buttons, when it is there, as the person at the device does. */
export async function press(screen: Screen, button: number, of: number): Promise<void> {
  let boxes: readonly { readonly x: number; readonly y: number }[] = [];
  await eventually('the window is there', async () => {
    boxes = buttonsOf(await screen.picture());
    return boxes.length === of;
  });
  await screen.click(boxes[button].x, boxes[button].y);
}

/** The corners of the uppermost buttons in a picture, from the left, by their colour. */
function buttonsOf({ width, rgb }: Picture): { readonly x: number; readonly y: number }[] {
  const buttons: { x: number; y: number }[] = [];
  const colour = Buffer.from([0xd0, 0xd7, 0xde]);
  for (let at = rgb.indexOf(colour); at !== -1; at = rgb.indexOf(colour, at + 3)) {
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)];
    if (at % 3 !== 0 || (buttons.length > 0 && y !== buttons[0].y)) continue;
    const before = x === 0 ? -1 : rgb.subarray(at - 3, at).compare(colour);
    if (before !== 0) buttons.push({ x: x + 2, y });
  }
  return buttons.map(({ x, y }) => ({ x, y: y + 2 }));
}
