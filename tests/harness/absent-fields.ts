import { type KnownCall, knownCall, mergeFacts } from '../../src/features/calls/state/call-facts.ts'
import { factsOfUpdate } from '../../src/features/calls/state/facts-of-update.ts'
import type { CallFacts } from '../../src/ports/call-facts.ts'
import type { ProviderSettings } from '../../src/ports/configuration/provider-field.ts'
import type { CallUpdate } from '../../src/ports/telephony-webhooks.ts'
import { createTelephonyWebhooks } from '../../src/providers/telephony/registry.ts'

/** For tests that a field which is missing, empty or unknown changes nothing that is known of the call. */

const missing = Symbol('missing')
const nothings = [missing, '', ' ', null, 'None', 'NULL', 'undefined', 'NA', 'n/a', '-', '--', 'Unknown', {}, [], false]
export const noDurations = ['-00:00:05', '-5', -5, '25:00:00', '1e9', 'NaN', 'soon']
export const noMoments = ['0000-00-00 00:00:00', '1970-01-01 05:30:00', '0001-01-01 00:00:00', '2025-13-45 10:00:00', 'soon', '14:30', 0]
export const noWords = ['Something', '???', 0]

export type Fields = Readonly<Record<string, unknown>>

function without(report: Fields, name: string, value: unknown): Fields {
  const { [name]: _, ...others } = report
  return value === missing ? others : { ...others, [name]: value }
}

/** Each report that lacks one of its fields in one of the ways; `more`: further values that say nothing. */
export function lacking(
  report: Fields,
  required: readonly string[],
  more: Readonly<Record<string, readonly unknown[]>>,
): readonly [string, Fields][] {
  const names = Object.keys(report).filter((name) => !required.includes(name))
  return names.flatMap((name) =>
    [...nothings, ...(more[name] ?? [])].map((value): [string, Fields] => [
      `${name} ${typeof value === 'symbol' ? 'missing' : JSON.stringify(value)}`,
      without(report, name, value),
    ]),
  )
}

const receivedAt = Date.parse('2025-01-15T09:10:00.000Z')
export const known = (updates: readonly CallUpdate[]): KnownCall =>
  knownCall('1', updates.map((update, index) => factsOfUpdate(update, receivedAt + index)).reduce<CallFacts>(mergeFacts, {}))

/** What was known, and is no longer so. */
export function changes(before: readonly CallUpdate[], report: readonly CallUpdate[]): readonly string[] {
  const [old, now] = [known(before), known([...before, ...report])].map((call) => Object.entries(call))
  const after = new Map(now)
  return (old ?? []).flatMap(([name, value]) =>
    value === null || after.get(name) === value ? [] : [`${name}: ${String(value)} became ${String(after.get(name))}`],
  )
}

export const ended = 'phase: ANSWERED became COMPLETED'

/** The cases in which `check` finds something else than what is expected. */
export function faultsOf<Case>(
  cases: readonly (readonly [string, Case])[],
  check: (one: Case) => readonly string[],
  expected: readonly string[] = [],
): readonly string[] {
  return cases.flatMap(([name, one]) => {
    const found = check(one)
    return JSON.stringify(found) === JSON.stringify(expected) ? [] : [`${name}: ${found.join(', ')}`]
  })
}

/** What a provider with these settings reads in a webhook: JSON, or a form. */
export function webhookReader(settings: ProviderSettings, field: 'provider' | 'outbound' = 'provider') {
  const webhooks = createTelephonyWebhooks(settings, { defaultCountry: 'IN' }, field)
  const read = (body: string, contentType: string): readonly CallUpdate[] =>
    webhooks.read(body, contentType).filter((update) => update.about === 'CALL')
  return {
    json: (fields: Fields) => read(JSON.stringify(fields), 'application/json'),
    form: (fields: Readonly<Record<string, string>>) => read(new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded'),
  }
}
