export type Reading = { readonly atMinutes: number; readonly heldMb: number }

/** The slope of the straight line through the readings (least squares), in MB an hour. */
export function growthPerHour(readings: readonly Reading[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanMinutes, meanMb] = [mean(readings.map(({ atMinutes }) => atMinutes)), mean(readings.map(({ heldMb }) => heldMb))]
  let [products, squares] = [0, 0]
  for (const { atMinutes, heldMb } of readings) {
    products += (atMinutes - meanMinutes) * (heldMb - meanMb)
    squares += (atMinutes - meanMinutes) ** 2
  }
  return (60 * products) / squares
}
