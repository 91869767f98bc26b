/** One line of Prometheus' text format. */
export type Sample = { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number }

/** The samples of a scrape. */
export function readSamples(text: string): readonly Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      if (name === '') throw new Error(`This is no sample: ${line}`)
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', given = '']) => [label, given] as const)
      return { name, labels: Object.fromEntries(pairs), value: Number(value) }
    })
}

/** The value of the one sample with this name and these labels; null if there is none. */
export function sampleOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number | null {
  const found = readSamples(text).filter(
    (sample) => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )
  if (found.length > 1) throw new Error(`${found.length} samples of ${name} have these labels`)
  return found[0]?.value ?? null
}
