import type { ExpectedCall } from './traffic.ts'

type Row = Readonly<Record<string, unknown>>
type Records = { records(workspace: string, object: string): readonly Row[] }

/** The calls that the platform lacks, has twice, or has with wrong values. */
export function wrongCalls(platform: Records, expected: readonly ExpectedCall[]): readonly ExpectedCall[] {
  const names = new Map(platform.records('demo', 'agent').map((agent) => [agent['id'], agent['providerAgentId']]))
  const records = Map.groupBy(platform.records('demo', 'call'), (record) => String(record['ucid']))
  return expected.filter((call) => {
    const [record, ...others] = records.get(call.ucid) ?? []
    return !record || others.length > 0 || !isAsIn(record, call) || (names.get(record['agentId']) ?? null) !== call.providerAgentId
  })
}

function isAsIn(record: Row, call: ExpectedCall): boolean {
  return (
    record['status'] === call.status &&
    momentOf(record['startedAt']) === call.startedAt &&
    momentOf(record['answeredAt']) === call.answeredAt &&
    momentOf(record['endedAt']) === call.endedAt &&
    (record['disposition'] || null) === call.disposition
  )
}

function momentOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? new Date(value).toISOString() : null
}
