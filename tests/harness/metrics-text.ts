import { restTable } from '../../src/server/rest/table.ts'
import { widgetOperations } from '../../src/server/widget/operations.ts'

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

/** Phone numbers, e-mail addresses, tokens and identifiers of records in the labels of a scrape. */
export function personalData(text: string): readonly string[] {
  const labels = readSamples(text).flatMap((sample) => Object.values(sample.labels))
  return labels.filter((value) => personal.some((pattern) => pattern.test(value)))
}

const personal = [/\+?\d{7,}/, /@/, /eyJ/, /[0-9a-f]{8}-[0-9a-f]{4}-/i, /sandbox-password/]

/** Labels whose value is in no closed list: `http_route=/api/calls/4711`. */
export function unboundedLabels(text: string): readonly string[] {
  const found = readSamples(text).flatMap(({ name, labels }) =>
    name === 'nodejs_version_info' ? [] : Object.entries(labels).filter(([label, value]) => !isBounded(label, value)),
  )
  return [...new Set(found.map(([label, value]) => `${label}=${value}`))]
}

const templates: ReadonlySet<string> = new Set([...restTable, ...widgetOperations].map(({ path }) => path))

function isBounded(label: string, value: string): boolean {
  if (label === 'http_route')
    return templates.has(value) || /^(?:none|\/[a-z.-]+(?:\/\*)?|\/(?:api|graphql)\/[a-z.{}I/-]+\/?\*?)$/.test(value)
  // Our own root fields and those of the platform that we ask for: names without anything else.
  if (label === 'operation') return /^(?:\/|__)?[A-Za-z]{1,60}$/.test(value)
  if (label === 'le' || label === 'http_response_status_code') return /^(?:[\d.]+|\+Inf)$/.test(value)
  return /^[A-Za-z_][A-Za-z0-9_.-]{0,40}$/.test(value)
}
