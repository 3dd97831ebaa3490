import { useEffect, useState } from 'react';

import { isPhone, useMedia } from '../media.js';

/** The height of a row, as the density and the pointer decide in `tokens.css`. */
export function useRowHeight(): number {
  const coarse = useMedia('(pointer: coarse)');
  const small = useMedia(isPhone);
  const [height, setHeight] = useState(40);
  useEffect(() => {
    const token = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row'));
    setHeight(small ? 64 : token > 0 ? token : 40);
  }, [coarse, small]);
  return height;
}
