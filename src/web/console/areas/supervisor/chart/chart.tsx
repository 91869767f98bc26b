import { useLayoutEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useChartTexts } from './texts.ts'
import { inkOf, usePaletteVersion } from './palette.ts'
import './chart.css'

export type ChartSeries = {
  readonly label: string
  /** The custom property that has the colour. */
  readonly ink: string
  /** One for each category. Null: there is none. */
  readonly values: readonly (number | null)[]
}
export type ChartProps = {
  readonly label: string
  readonly categories: readonly string[]
  /** Bars lie on each other, in this order; lines do not. */
  readonly series: readonly ChartSeries[]
  readonly kind?: 'bars' | 'lines'
  readonly format: (value: number) => string
  readonly height: number
  /** The largest value of the scale. Default: what the values need. */
  readonly max?: number
}

/** A chart on a canvas. What it shows must also be in a table. */
export function Chart({ label, categories, series, kind = 'bars', format, height, max }: ChartProps) {
  const texts = useChartTexts()
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const shown = useRef({ categories, format })
  const [index, setIndex] = useState<number | null>(null)
  const palette = usePaletteVersion()
  shown.current = { categories, format }
  const shape = JSON.stringify([series.map((one) => one.ink), kind, height, max])
  // Drawn with the frame that shows the new numbers, not with one more.
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const inks = series.map(({ ink }) => inkOf(element, ink))
    const options = optionsOf(element, { inks, kind, height, max, shown, onIndex: setIndex })
    const made = new uPlot(options, [[]], element)
    plot.current = made
    const resizing = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    resizing.observe(element)
    return () => {
      resizing.disconnect()
      made.destroy()
      plot.current = null
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `shape` is what the options need of the series
  }, [shape, palette])
  useLayoutEffect(() => plot.current?.setData(dataOf(categories, series, kind)), [categories, series, kind, shape, palette])
  const point = index === null ? undefined : categories[index]
  return (
    <div className="chart">
      <div ref={frame} role="img" aria-label={texts.describe(label, categories[0] ?? '', categories.at(-1) ?? '')} style={{ height }} />
      {index !== null && point !== undefined && (
        <dl className="chart-tip" aria-hidden="true" data-side={index * 2 < categories.length ? 'end' : 'start'}>
          <dt>{point}</dt>
          {series.map(({ label: name, ink, values }) => (
            <dd key={name}>
              <span className="chart-mark" style={{ background: `var(${ink})` }} />
              {name}
              <span className="numbers">{valueText(values[index], format)}</span>
            </dd>
          ))}
        </dl>
      )}
    </div>
  )
}

function valueText(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value)
}

/** Bars: each series has the sum up to it, the largest first, so that the smaller ones are drawn over it. */
function dataOf(categories: readonly string[], series: readonly ChartSeries[], kind: 'bars' | 'lines'): uPlot.AlignedData {
  const places = categories.map((_, index) => index)
  if (kind === 'lines') return [places, ...series.map(({ values }) => [...values])]
  const sums = series.map((_, last) =>
    places.map((place) => series.slice(0, last + 1).reduce((sum, { values }) => sum + (values[place] ?? 0), 0)),
  )
  return [places, ...sums.toReversed()]
}

type Drawing = {
  readonly inks: readonly string[]
  readonly kind: 'bars' | 'lines'
  readonly height: number
  readonly max: number | undefined
  readonly shown: { readonly current: Pick<ChartProps, 'categories' | 'format'> }
  readonly onIndex: (index: number | null) => void
}

function optionsOf(element: HTMLElement, { inks, kind, height, max, shown, onIndex }: Drawing): uPlot.Options {
  const [ink, grid] = [inkOf(element, '--ink-3'), inkOf(element, '--border')]
  const font = `12px ${getComputedStyle(element).fontFamily}`
  const bars = uPlot.paths.bars?.({ size: [0.62, 36], radius: 0.12 })
  const look = { stroke: ink, font, ticks: { show: false } } as const
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: { y: false, points: { show: kind === 'lines' }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: (_, least, most) => [least - 0.5, most + 0.5] },
      y: { range: (_, _least, most) => [0, max ?? Math.max(4, (most ?? 0) * 1.08)] },
    },
    axes: [
      {
        ...look,
        grid: { show: false },
        size: 28,
        incrs: [1, 2, 3, 4, 6, 7, 14, 30, 60, 90],
        space: 52,
        values: (_, splits) => splits.map((place) => shown.current.categories[place] ?? ''),
      },
      {
        ...look,
        grid: { stroke: grid, width: 1 },
        size: 44,
        space: 36,
        values: (_, splits) => splits.map((value) => shown.current.format(value)),
      },
    ],
    series: [{}, ...(kind === 'bars' ? inks.toReversed() : inks).map((colour) => seriesOf(colour, kind === 'bars' ? bars : undefined))],
    hooks: { setCursor: [({ cursor }) => onIndex(cursor.idx ?? null)] },
  }
}

function seriesOf(colour: string, bars: uPlot.Series.PathBuilder | undefined): uPlot.Series {
  return bars
    ? { fill: colour, stroke: colour, width: 0, paths: bars, points: { show: false } }
    : { stroke: colour, width: 2, points: { size: 6, fill: colour } }
}
