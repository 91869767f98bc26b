import { addDuration, type Durations, newDurations } from '../kernel/durations.ts'
import type { ErrorReason } from '../kernel/errors.ts'
import type { Tokens } from './conversation.ts'

export type CacheUse = { hits: number; misses: number }

/** What the service counts of its own work since its start. Plain numbers, which `/metrics` reads. */
export type Figures = {
  /** Sign-ins of agents: the lock was free, another session held it, or the agent's own session on another device was taken over. */
  readonly sessionLocks: Record<'taken' | 'refused' | 'taken_over', number>
  /** From the webhook of a ringing call to the event in the agent's stream. */
  readonly screenPops: Durations
  readonly caches: Record<'configuration' | 'principals' | 'agent_records' | 'analyses' | 'enrichments' | 'schemas', CacheUse>
  /** What was stored in a form that cannot be read, and was put aside for a person to see. */
  readonly setAside: Record<'scorecards', number>
  /** By provider. */
  readonly modelTokens: Map<string, Tokens>
  /** Alerts of the workspaces, by kind. Each is counted by the instance that was the first to store it. */
  readonly alerts: Map<string, Record<'raised' | 'cleared', number>>
  /** Why the alerts of a workspace were not evaluated when this was tried last, by its subdomain. */
  readonly alertFailures: Map<string, string>
  /** Calls to third parties, by provider, operation and result. */
  readonly upstreamCalls: Map<string, Map<string, Map<string, Durations>>>
}

/** `operation`: a method of the port, or a root field that we ask the platform for. */
export type UpstreamCall = {
  readonly provider: string
  readonly operation: string
  readonly result: 'OK' | ErrorReason
  readonly seconds: number
}

export function createFigures(): Figures {
  const newUse = (): CacheUse => ({ hits: 0, misses: 0 })
  return {
    sessionLocks: { taken: 0, refused: 0, taken_over: 0 },
    screenPops: newDurations(),
    caches: {
      configuration: newUse(),
      principals: newUse(),
      agent_records: newUse(),
      analyses: newUse(),
      enrichments: newUse(),
      schemas: newUse(),
    },
    setAside: { scorecards: 0 },
    modelTokens: new Map(),
    alerts: new Map(),
    alertFailures: new Map(),
    upstreamCalls: new Map(),
  }
}

export function countUse(use: CacheUse, isHit: boolean): void {
  if (isHit) use.hits += 1
  else use.misses += 1
}

/** Some names of operations come from the data model of a workspace. Beyond this many, they count as `other`. */
const maxOperations = 300

export function countUpstreamCall({ upstreamCalls }: Pick<Figures, 'upstreamCalls'>, call: UpstreamCall): void {
  const { provider, result, seconds } = call
  const operations = valueIn(upstreamCalls, provider, newMap<Map<string, Durations>>)
  const operation = operations.has(call.operation) || operations.size < maxOperations ? call.operation : 'other'
  addDuration(valueIn(valueIn(operations, operation, newMap<Durations>), result, newDurations), seconds)
}

export function countTokens({ modelTokens }: Pick<Figures, 'modelTokens'>, provider: string, { input, output }: Tokens): void {
  const before = modelTokens.get(provider) ?? { input: 0, output: 0 }
  modelTokens.set(provider, { input: before.input + input, output: before.output + output })
}

export function countAlert({ alerts }: Pick<Figures, 'alerts'>, kind: string, change: 'raised' | 'cleared'): void {
  valueIn(alerts, kind, () => ({ raised: 0, cleared: 0 }))[change] += 1
}

function valueIn<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const value = create()
  map.set(key, value)
  return value
}

function newMap<Value>(): Map<string, Value> {
  return new Map()
}
