import { Histogram } from 'prom-client'
import { bucketSeconds, type Durations } from '../../kernel/durations.ts'

type Labels = Readonly<Record<string, string>>
type Value = Awaited<ReturnType<Histogram['get']>>['values'][number]

/** One series: its labels and its durations. */
export type DurationSeries = readonly [labels: Labels, durations: Durations]

/** A histogram of durations that are counted elsewhere. prom-client's own one makes an object and a text of the labels for each duration. */
export class DurationHistogram extends Histogram {
  private readonly empty: Histogram
  private readonly read: () => Iterable<DurationSeries>

  /** `read` is called for each scrape. */
  constructor({ read, ...named }: { readonly name: string; readonly help: string; readonly read: () => Iterable<DurationSeries> }) {
    super({ ...named, registers: [] })
    this.empty = new Histogram({ ...named, registers: [] })
    this.read = read
  }

  /** The registry calls it, and so does `get`. */
  async getForPromString() {
    const empty = await this.empty.get()
    return { ...empty, values: [...this.read()].flatMap((series) => valuesOf(empty.name, series)) }
  }
}

function valuesOf(name: string, [labels, { counts, sum }]: DurationSeries): readonly Value[] {
  let count = 0
  const buckets = counts.map((added, index) => {
    count += added
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bucketSeconds[index] ?? '+Inf' }, value: count }
  })
  return [...buckets, { metricName: `${name}_sum`, labels, value: sum }, { metricName: `${name}_count`, labels, value: count }]
}
