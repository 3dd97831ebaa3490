/** Points of a line through values of a box, from its start to its end. The line has a gap at each missing value. */
export function linePath(values: readonly (number | null)[], width: number, height: number, max: number): string {
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  let isOpen = false;
  return values
    .map((value, index) => {
      if (value === null) {
        isOpen = false;
        return '';
      }
      const share = max <= 0 ? 0 : Math.min(1, Math.max(0, value / max));
      const point = `${isOpen ? 'L' : 'M'}${round(index * step)} ${round(height - share * height)}`;
      isOpen = true;
      return point;
    })
    .join('');
}

const round = (value: number): number => Math.round(value * 100) / 100;
