import { service } from '../../data/service-client.ts'

/** What the platform's record says about a call. */
export type CallDetails = {
  readonly customer: string | null
  readonly phoneNumber: string | null
  readonly agentName: string | null
  readonly direction: 'INBOUND' | 'OUTBOUND' | null
  readonly startedAt: string | null
  readonly disposition: string | null
}
export type CallDetailsById = ReadonlyMap<string, CallDetails>

/** The names of a workspace whose objects this service has set up. Another workspace may have others: then the screens do without. */
const document = `query RecordedCalls($filter: CallFilterInput) {
  calls(first: 60, filter: $filter) {
    edges { node { id phone direction startedAt disposition lead { id name } agent { id name } } }
  }
}`

/** The calls with these ids that the member may see on the platform. Empty if it does not answer. */
export async function readCallDetails(ids: readonly string[], signal: AbortSignal): Promise<CallDetailsById> {
  if (ids.length === 0) return new Map()
  try {
    const data: unknown = await service.execute<unknown, object>(document, { filter: { id: { in: ids } } }, { signal })
    const edges = memberOf(memberOf(data, 'calls'), 'edges')
    const nodes = Array.isArray(edges) ? edges.map((edge) => memberOf(edge, 'node')) : []
    return new Map(nodes.flatMap((node) => entryOf(node)))
  } catch {
    signal.throwIfAborted()
    return new Map()
  }
}

function entryOf(node: unknown): readonly [id: string, details: CallDetails][] {
  const id = textOf(node, 'id')
  const direction = textOf(node, 'direction')
  if (id === null) return []
  const details: CallDetails = {
    customer: textOf(memberOf(node, 'lead'), 'name'),
    phoneNumber: textOf(node, 'phone'),
    agentName: textOf(memberOf(node, 'agent'), 'name'),
    direction: direction === 'INBOUND' || direction === 'OUTBOUND' ? direction : null,
    startedAt: textOf(node, 'startedAt'),
    disposition: textOf(node, 'disposition'),
  }
  return [[id, details]]
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function textOf(value: unknown, name: string): string | null {
  const text = memberOf(value, name)
  return typeof text === 'string' && text !== '' ? text : null
}
