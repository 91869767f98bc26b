import { type CallFacts, callFactsSchema } from '../../ports/call-facts.ts'
import type { Positioned } from '../../kernel/connection.ts'
import type { Ports } from '../../ports/ports.ts'
import type { SortedMember } from '../../ports/store.ts'
import { type CallControls, callControlsSchema, noControls } from './call-controls.ts'
import { noteChangedCall } from './changed-calls.ts'
import { type KnownCall, knownCall, mergeFacts } from './call-facts.ts'
import { readSorted } from './sorted-page.ts'
import { changeJson, readJson, readManyJson, writeJson } from './stored-json.ts'

/**
 * What we know of calls, between the provider's updates and the platform's records. Facts are stored for a week. Every change is one
 * compare-and-set, so that concurrent instances and webhooks lose nothing. Errors of all functions: STORE_UNAVAILABLE.
 */

/** One call of a workspace; `ucid` is the provider's id of it. */
export type CallKey = { readonly workspaceId: string; readonly ucid: string }
/** `before` is null for a call that was unknown. */
export type CallChange = { readonly before: KnownCall | null; readonly after: KnownCall }

const day = 86_400_000
const factsTtlMs = 7 * day
/** A call without a known end does not stay live for ever. */
const maxCallMs = day / 2
const maxLive = 2_000
const startedTtlMs = 2 * day
/** Calls per read: the event loop is free in between. */
const readBatch = 250

/** As they are stored; null for an unknown call. */
export async function readFacts({ store }: Pick<Ports, 'store'>, call: CallKey): Promise<CallFacts | null> {
  return readJson(store, factsKey(call), callFactsSchema)
}

/** As they are stored, in the order of the UCIDs; null for an unknown call. */
export async function readManyFacts(
  { store }: Pick<Ports, 'store'>,
  workspaceId: string,
  ucids: readonly string[],
): Promise<readonly (CallFacts | null)[]> {
  return readManyJson(
    store,
    ucids.map((ucid) => factsKey({ workspaceId, ucid })),
    callFactsSchema,
  )
}

/** Null for an unknown call. Unlike one of many, it throws if its facts are in another form: nobody may take it for unknown. */
export async function readCall({ store }: Pick<Ports, 'store'>, call: CallKey): Promise<KnownCall | null> {
  const [text = null] = await store.getMany([factsKey(call)])
  return text === null ? null : knownCall(call.ucid, callFactsSchema.parse(JSON.parse(text)))
}

/** In the order of the UCIDs; null for an unknown call. */
export async function readCalls(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  ucids: readonly string[],
): Promise<readonly (KnownCall | null)[]> {
  const facts = await readManyFacts(ports, workspaceId, ucids)
  return ucids.map((ucid, index) => {
    const known = facts[index]
    return known ? knownCall(ucid, known) : null
  })
}

/** Merges facts into what we know of the call. Repeatable. */
export async function addCallFacts(ports: Pick<Ports, 'store' | 'clock'>, call: CallKey, facts: CallFacts): Promise<CallChange> {
  const next = (known: CallFacts | null): CallFacts => mergeFacts(known ?? {}, facts)
  const { before, after } = await changeJson(ports.store, factsKey(call), {
    schema: callFactsSchema,
    ttlMs: factsTtlMs,
    next,
    prepare: (old, facts) =>
      noteFormerStart(ports, call.workspaceId, { former: old && knownCall(call.ucid, old), known: knownCall(call.ucid, facts) }),
  })
  const known = knownCall(call.ucid, after)
  await indexLive(ports, call, known)
  await indexStarted(ports, call, { known, isNew: before === null })
  const former = before && knownCall(call.ucid, before)
  await noteChangedCall(ports, call.workspaceId, known)
  // Once more: the note from before the change may have been counted already.
  await noteFormerStart(ports, call.workspaceId, { former, known })
  return { before: former, after: known }
}

/** Calls that ring or are answered now, the oldest first, at most 2,000. */
export async function readLiveCalls(ports: Pick<Ports, 'store' | 'clock'>, workspaceId: string): Promise<readonly KnownCall[]> {
  const { store, clock } = ports
  await store.sortedTrim(liveList(workspaceId), clock.now() - maxCallMs)
  const members = await store.sortedRange(liveList(workspaceId), { limit: maxLive })
  const ucids = members.map(({ member }) => member)
  return (await readCalls(ports, workspaceId, ucids)).filter((call) => call !== null).filter(isLive)
}

/** Calls that started in this time (epoch milliseconds, both ends included), of the last two days, the oldest first. Reads some at a time. */
export async function* readCallsStarted(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<KnownCall> {
  const read = (ucids: readonly string[]) => readCalls(ports, workspaceId, ucids)
  for (let after: SortedMember | null = { score: from, member: '' }; after;) {
    const page: readonly Positioned<KnownCall, SortedMember>[] = await readSorted(
      ports.store,
      { list: startedList(workspaceId), order: 1, after, count: readBatch },
      read,
    )
    for (const { node, position } of page) {
      if (position.score > to) return
      yield node
    }
    after = page.length < readBatch ? null : (page.at(-1)?.position ?? null)
  }
}

export async function readControls({ store }: Pick<Ports, 'store'>, call: CallKey): Promise<CallControls> {
  return (await readJson(store, controlsKey(call), callControlsSchema)) ?? noControls
}

export async function writeControls({ store }: Pick<Ports, 'store'>, call: CallKey, controls: CallControls): Promise<void> {
  await writeJson(store, controlsKey(call), { value: controls, ttlMs: maxCallMs })
}

async function indexLive({ store, clock }: Pick<Ports, 'store' | 'clock'>, { workspaceId }: CallKey, call: KnownCall): Promise<void> {
  const list = liveList(workspaceId)
  if (isLive(call)) await store.sortedAdd(list, call.ucid, call.startedAt === null ? clock.now() : Date.parse(call.startedAt))
  else await store.sortedRemove(list, call.ucid)
}

type Started = { readonly known: KnownCall; readonly isNew: boolean }

async function indexStarted(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { workspaceId, ucid }: CallKey,
  { known: { startedAt }, isNew }: Started,
): Promise<void> {
  const list = startedList(workspaceId)
  if (isNew) await store.sortedTrim(list, clock.now() - startedTtlMs)
  if (startedAt !== null) await store.sortedAdd(list, ucid, Date.parse(startedAt))
}

type Noted = { readonly former: KnownCall | null; readonly known: KnownCall }

/** The history has counted the call there. */
async function noteFormerStart(ports: Pick<Ports, 'store' | 'clock'>, workspaceId: string, { former, known }: Noted): Promise<void> {
  if (former && former.startedAt !== known.startedAt) await noteChangedCall(ports, workspaceId, former)
}

/** Whether it rings or goes on. */
export function isLive({ phase }: Pick<KnownCall, 'phase'>): boolean {
  return phase === 'RINGING' || phase === 'ANSWERED'
}

const factsKey = ({ workspaceId, ucid }: CallKey): string => `call:${workspaceId}:${ucid}`
const controlsKey = ({ workspaceId, ucid }: CallKey): string => `call-controls:${workspaceId}:${ucid}`
const liveList = (workspaceId: string): string => `calls-live:${workspaceId}`
const startedList = (workspaceId: string): string => `calls-started:${workspaceId}`
