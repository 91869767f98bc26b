import type { Store } from '../../ports/store.ts'
import { type CallControls, callControlsSchema, noControls } from './call-controls.ts'
import { type CallFacts, callFactsSchema } from '../../ports/call-facts.ts'
import { type KnownCall, knownCall, mergeFacts } from './call-facts.ts'
import { createStoredJson } from './stored-json.ts'

/**
 * What we know of calls, between the provider's news and the platform's records; kept for a week. Every change is one compare-and-set,
 * so that instances and callbacks at the same moment lose nothing. Errors of all methods: STORE_UNAVAILABLE.
 */
export interface CallStateStore {
  read(workspaceId: string, ucid: string): Promise<KnownCall | null>
  readMany(workspaceId: string, ucids: readonly string[]): Promise<readonly (KnownCall | null)[]>
  /** Adds facts; `before` is null for a call that nobody had heard of. */
  add(workspaceId: string, ucid: string, facts: CallFacts): Promise<CallChange>
  /** Calls that ring or talk, the oldest first. */
  live(workspaceId: string): Promise<readonly KnownCall[]>
  /** Calls that began in this time, epoch milliseconds, both ends included; of the last two days, at most 20,000, the oldest first. */
  began(workspaceId: string, range: { readonly from: number; readonly to: number }): Promise<readonly KnownCall[]>
  controls(workspaceId: string, ucid: string): Promise<CallControls>
  setControls(workspaceId: string, ucid: string, controls: CallControls): Promise<void>
}

export type CallChange = { readonly before: KnownCall | null; readonly after: KnownCall }

const day = 86_400_000
const keptMs = 7 * day
/** A call of which no end was heard is not live for ever. */
const longestCallMs = day / 2
const mostLive = 2_000
const begunKeptMs = 2 * day
const mostBegun = 20_000
/** Read at once: the event loop is free in between. */
const readAtOnce = 250

function isLive(call: Pick<KnownCall, 'phase'> | null): boolean {
  return call?.phase === 'RINGING' || call?.phase === 'ANSWERED'
}

export function createCallStateStore(store: Store, now: () => number): CallStateStore {
  const facts = createStoredJson(store, { schema: callFactsSchema, ttlMs: keptMs })
  const controls = createStoredJson(store, { schema: callControlsSchema, ttlMs: longestCallMs })
  const keyOf = (workspaceId: string, ucid: string): string => `call:${workspaceId}:${ucid}`
  const controlsKey = (workspaceId: string, ucid: string): string => `call-controls:${workspaceId}:${ucid}`
  const liveList = (workspaceId: string): string => `calls-live:${workspaceId}`
  const begunList = (workspaceId: string): string => `calls-begun:${workspaceId}`

  const readMany: CallStateStore['readMany'] = async (workspaceId, ucids) => {
    const known = await facts.readMany(ucids.map((ucid) => keyOf(workspaceId, ucid)))
    return ucids.map((ucid, index) => known[index] && knownCall(ucid, known[index])).map((call) => call ?? null)
  }

  const noteLive = async (workspaceId: string, call: KnownCall): Promise<void> => {
    const list = liveList(workspaceId)
    if (!isLive(call)) return void (await store.sortedRemove(list, call.ucid))
    await store.sortedAdd(list, call.ucid, call.startedAt === null ? now() : Date.parse(call.startedAt))
  }

  const noteBegun = async (workspaceId: string, call: KnownCall, isNew: boolean): Promise<void> => {
    const list = begunList(workspaceId)
    if (isNew) await store.sortedTrim(list, now() - begunKeptMs)
    if (call.startedAt !== null) await store.sortedAdd(list, call.ucid, Date.parse(call.startedAt))
  }

  return {
    readMany,
    read: async (workspaceId, ucid) => (await readMany(workspaceId, [ucid]))[0] ?? null,
    async add(workspaceId, ucid, further) {
      const { before, after } = await facts.change(keyOf(workspaceId, ucid), (known) => mergeFacts(known ?? {}, further))
      const call = knownCall(ucid, after)
      await noteLive(workspaceId, call)
      await noteBegun(workspaceId, call, before === null)
      return { before: before && knownCall(ucid, before), after: call }
    },
    async live(workspaceId) {
      const list = liveList(workspaceId)
      await store.sortedTrim(list, now() - longestCallMs)
      const members = await store.sortedRange(list, { limit: mostLive })
      const ucids = members.map(({ member }) => member)
      return (await readMany(workspaceId, ucids)).filter((call) => call !== null).filter(isLive)
    },
    async began(workspaceId, { from, to }) {
      const members = await store.sortedRange(begunList(workspaceId), { min: from, max: to, limit: mostBegun })
      const found: KnownCall[] = []
      for (let at = 0; at < members.length; at += readAtOnce) {
        const ucids = members.slice(at, at + readAtOnce).map(({ member }) => member)
        found.push(...(await readMany(workspaceId, ucids)).filter((call) => call !== null))
      }
      return found
    },
    controls: async (workspaceId, ucid) => (await controls.read(controlsKey(workspaceId, ucid))) ?? noControls,
    setControls: (workspaceId, ucid, value) => controls.write(controlsKey(workspaceId, ucid), value),
  }
}
