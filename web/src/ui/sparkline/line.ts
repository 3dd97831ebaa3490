/** Points of a line through values of a box, from its start to its end. The line has a gap at each missing value. */
export function linePath(values: readonly (number | null)[], width: number, height: number, max: number): string {
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return pathThrough(
    values.map((value, index) => {
      if (value === null) return null;
      const share = max <= 0 ? 0 : Math.min(1, Math.max(0, value / max));
      return `${round(index * step)} ${round(height - share * height)}`;
    }),
  );
}

/** The path through points, each of them `x y`. It has a gap at each missing one; a point between two gaps is a dot. */
export function pathThrough(points: readonly (string | null)[]): string {
  const has = (index: number): boolean => (points[index] ?? null) !== null;
  const parts = points.map((point, index) => {
    if (point === null) return '';
    if (has(index - 1)) return `L${point}`;
    return has(index + 1) ? `M${point}` : `M${point}h0`;
  });
  return parts.join('');
}

const round = (value: number): number => Math.round(value * 100) / 100;
