/** The hours from the first to the last that has calls, at least those of a working day. */
export function hoursAround(rows: readonly { readonly hour: number }[]): readonly number[] {
  const hours = rows.map(({ hour }) => hour)
  const [first, last] = [Math.min(9, ...hours), Math.max(18, ...hours)]
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
